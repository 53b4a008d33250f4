"""Earlier turns for the model: the newest whole turns since ``/new`` that fit."""

from collections.abc import Iterable, Sequence
from typing import Any

from svc.agent.turns.commands import NEW_COMMAND
from svc.client.message import Message
from svc.client.text_units import length_in
from svc.protocol.json_text import to_json

#: The cost of one image in most models, as characters.
_IMAGE_CHARS = 6_400
_CHARS_PER_TOKEN = 4
#: Reasoning and signatures, which `aiModel` of TypeScript sends again beside the text.
_KEPT_PARTS = "svc_ai"
#: Images that the model still sees; a request with more would outgrow the limits of most servers.
_MAX_SEEN_IMAGES = 4


def read_history(turns: Iterable[list[Message]], max_tokens: float) -> list[Message]:
    """The messages of the turns that fit, in order.

    Args:
        turns: the messages of finished turns, newest turn first
        max_tokens: counted as four characters of JSON each
    """
    kept: list[list[Message]] = []
    left = max_tokens * _CHARS_PER_TOKEN
    for messages in turns:
        if not messages:
            continue
        if messages[0].get("content") == NEW_COMMAND:
            break
        left -= sum(map(_length_of, messages))
        if left < 0:
            break
        kept.append(messages)
    return [message for messages in reversed(kept) for message in messages]


def with_few_images(messages: Sequence[Message]) -> list[Message]:
    """The newest images stay; words replace the others."""
    seen = 0
    kept = []
    for message in reversed(messages):
        content = message.get("content")
        if isinstance(content, list):
            parts = []
            for part in content:
                is_image = part.get("type") == "image_url"
                seen += is_image
                is_seen = not is_image or seen <= _MAX_SEEN_IMAGES
                parts.append(part if is_seen else {"type": "text", "text": "[an earlier image]"})
            message = {**message, "content": parts}
        kept.append(message)
    return kept[::-1]


def _length_of(message: Message) -> int:
    """Counted in UTF-16 code units in all languages, so that the same turns fit."""
    return length_in("utf16", to_json(_as_counted(message)))


def _as_counted(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_counted(element) for element in value]
    if not isinstance(value, dict):
        return value
    return {
        name: "x" * _IMAGE_CHARS if name == "image_url" else _as_counted(member)
        for name, member in value.items()
        if not name.startswith("svc_") or name == _KEPT_PARTS
    }
