"""A message of a conversation, in the shape of OpenAI chat completions.

It is stored as the model's server sent it: members that svc-sdk does not read are kept and sent back, because some
servers need them (``reasoning_details``, thought signatures). Members that begin with ``svc_`` are this package's own,
and no model's server gets them. ``svc_images`` are the images of a tool's result as data URLs: the person sees the
images, and the model reads words in their place.
"""

from collections.abc import Sequence
from typing import Any

#: ``role``, and with it ``content``, ``tool_calls``, ``tool_call_id`` and whatever else the server sent.
Message = dict[str, Any]


def message_text(message: Message) -> str:
    """The text of a message; its images are left out."""
    content = message.get("content")
    if not isinstance(content, list):
        return content or ""
    return "\n".join(part["text"] for part in content if isinstance(part, dict) and part.get("type") == "text")


def reply_text(reply_messages: Sequence[Message]) -> str:
    """The text of the last message: the part of a reply that the person reads."""
    last = reply_messages[-1] if reply_messages else {}
    return message_text(last) if last.get("role") == "assistant" else ""


def reply_images(reply_messages: Sequence[Message]) -> list[str]:
    """The images of the tools' results, as data URLs, each once."""
    return list(dict.fromkeys(image for message in reply_messages for image in message.get("svc_images", [])))
