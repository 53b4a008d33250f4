"""The message of a person for the model."""

import re

from svc.client.message import Message
from svc.client.message_context import MessageContext


def to_user_message(ctx: MessageContext) -> Message:
    """The text begins with ``[name]`` in a chat with several people."""
    name = _without_brackets(ctx.user_id if ctx.user_name is None else ctx.user_name)
    text = ctx.message if ctx.is_private else f"[{name}] {ctx.message}"
    if not ctx.images:
        return {"role": "user", "content": text}
    images = [{"type": "image_url", "image_url": {"url": url}} for url in ctx.images]
    return {"role": "user", "content": [{"type": "text", "text": text}, *images] if text else images}


def _without_brackets(name: str) -> str:
    """A user name must not hold the end mark of the name, or imitate another person's line."""
    return re.sub(r"\s+", " ", name.replace("[", "(").replace("]", ")"))
