"""The stored form of a person's message: the same JSON in all languages."""

from typing import Any

from svc.client.message_context import MessageContext
from svc.protocol.json_text import from_json, to_json


def write_context(ctx: MessageContext) -> str:
    """Members that are absent or have their default are left out."""
    answer = ctx.answer and {"question_id": ctx.answer.question_id, "approved": ctx.answer.approved}
    row: dict[str, Any] = {
        "chat_id": ctx.chat_id,
        "user_id": ctx.user_id,
        "message": ctx.message,
        "message_id": ctx.message_id,
        "user_name": ctx.user_name,
        "is_private": None if ctx.is_private else False,
        "images": ctx.images or None,
        "answer": answer,
        "address": ctx.address,
        "partial": ctx.partial,
    }
    return to_json({name: value for name, value in row.items() if value is not None})


def read_context(row: str) -> MessageContext:
    """The context without its answer: the press of a button creates no turn."""
    members = from_json(row)
    return MessageContext(
        chat_id=members["chat_id"],
        user_id=members["user_id"],
        message=members["message"],
        message_id=members.get("message_id"),
        user_name=members.get("user_name"),
        is_private=members.get("is_private") is not False,
        images=members.get("images") or [],
        address=members.get("address"),
        partial=members.get("partial"),
    )
