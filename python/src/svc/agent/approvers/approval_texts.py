"""The texts for approvers in a chat: the whole call, and later its outcome."""

import sys
from typing import NamedTuple, cast

from svc.protocol.approvals import ApprovalInfo
from svc.protocol.http import ResolveResponse
from svc.protocol.utf16 import utf16_length
from svc.tools.describe_call import describe_call

#: A chat cannot show a longer call.
_MAX_CHARS = 20_000

_OUTCOMES = {
    "pending": "Open.",
    "approved": "Approved",
    "used": "Approved",
    "denied": "Denied",
    "expired": "No decision in time.",
    "withdrawn": "The call is not the same any more: nothing ran.",
}


class QuestionText(NamedTuple):
    """A question for approvers.

    Attributes:
        is_whole: False for a call that the chat cannot show, which must be decided elsewhere.
    """

    text: str
    is_whole: bool


def question_text(approval: ApprovalInfo) -> QuestionText:
    """The question with the call, as far as a chat can show it."""
    lines = [f'May "{approval["key"]["name"]}" run this?']
    if "user" in approval:
        lines.append(f"For the user {approval['user']}")
    if "session" in approval:
        lines.append(f"In the conversation {approval['session']}")
    head = "\n".join([*lines, f"Until {approval['expiresAt']}"])
    call = _describe(approval)
    if call is not None and utf16_length(call) <= _MAX_CHARS:
        return QuestionText(f"{head}\n\n{call}", is_whole=True)
    why = "cannot be read" if call is None else f"has {utf16_length(call)} characters, too many for a chat"
    where = f"Decide in the console, or with: svc-sdk approvals show {approval['id']}"
    return QuestionText(f"{head}\n\n{approval['action']}\nThe payload {why}. {where}", is_whole=False)


def outcome_text(approval: ApprovalInfo) -> str:
    """The decision, or why there is none."""
    outcome = _OUTCOMES[approval["status"]]
    if outcome.endswith("."):
        return outcome
    return f"{outcome} by {approval['decidedByName']}." if "decidedByName" in approval else f"{outcome}."


def _describe(approval: ApprovalInfo) -> str | None:
    """None for a payload that the service does not show."""
    if "payload" not in approval:
        return None
    action: dict[str, object] = {"action": approval["action"]}
    if "payment" in approval:
        action["payment"] = approval["payment"]
    return describe_call(cast(ResolveResponse, {"action": action, "payload": approval["payload"]}), sys.maxsize)
