"""Fills the placeholders of a prompt: ``{{date}}``, ``{{agent_id}}``, ``{{client_id}}``, ``{{chat_id}}``. Every other
text stays as it is.
"""

import re
from datetime import UTC, datetime

_PLACEHOLDER = re.compile(r"\{\{(date|agent_id|client_id|chat_id)\}\}")


def fill_prompt(text: str, *, agent_id: str, client_id: str, chat_id: str, now: datetime | None = None) -> str:
    """The text for one chat.

    Args:
        text: the prompt
        agent_id: the agent's id
        client_id: the client's id
        chat_id: the chat's id
        now: Default: now. The date is that of UTC.
    """
    values = {
        "date": (now or datetime.now(UTC)).astimezone(UTC).date().isoformat(),
        "agent_id": agent_id,
        "client_id": client_id,
        "chat_id": chat_id,
    }
    return _PLACEHOLDER.sub(lambda found: values[found[1]], text)
