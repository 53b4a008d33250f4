"""Questions with two buttons, and the presses of the buttons. The data of a button has at most 64 bytes."""

import re
from typing import Any

from svc.client.base import Answer, MessageContext
from svc.client.telegram.read_message import chat_id_of, name_of

_BUTTON = re.compile(r"svc:(yes|no):(.+)")


def buttons_for(question_id: str) -> dict[str, object]:
    yes = {"text": "Yes", "callback_data": f"svc:yes:{question_id}"}
    no = {"text": "No", "callback_data": f"svc:no:{question_id}"}
    return {"inline_keyboard": [[yes, no]]}


def read_telegram_press(press: dict[str, Any]) -> MessageContext | None:
    """None for a button that this package did not make."""
    match = _BUTTON.fullmatch(press.get("data", ""))
    message = press.get("message")
    if not match or not message:
        return None
    return MessageContext(
        chat_id=chat_id_of(message),
        user_id=str(press["from"]["id"]),
        message="",
        message_id=f"press/{press['id']}",
        user_name=name_of(press["from"]),
        is_private=message["chat"]["type"] == "private",
        answer=Answer(question_id=match[2], approved=match[1] == "yes"),
    )
