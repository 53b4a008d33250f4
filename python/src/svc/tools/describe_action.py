"""The description of an action for models and people before a call."""

import re

from svc.protocol.http import ActionInfo

_SENTENCE_END = re.compile(r"[.!?]\Z")


def describe_action(action: ActionInfo) -> str:
    """The description; of a paid action with its price."""
    description = action["description"]
    payment = action.get("payment")
    if not payment:
        return description
    sentence = description if _SENTENCE_END.search(description) else f"{description}."
    return f"{sentence} Costs up to {payment['amount']} {payment['currency']} a call."
