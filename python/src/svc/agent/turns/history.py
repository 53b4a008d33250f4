"""Earlier turns for the model: the newest whole turns since ``/new`` that fit."""

from collections.abc import Iterable, Sequence

from svc.agent.turns.commands import NEW_COMMAND
from svc.client.message import Message
from svc.protocol.estimate_tokens import estimate_tokens
from svc.protocol.json_text import to_json

#: The cost of one image in most models.
_IMAGE_TOKENS = 1_600
#: Reasoning and signatures, which `aiModel` of TypeScript sends again beside the text.
_KEPT_PARTS = "svc_ai"
#: Images that the model still sees; a request with more would outgrow the limits of most servers.
_MAX_SEEN_IMAGES = 4


def read_history(turns: Iterable[list[Message]], max_tokens: float) -> list[Message]:
    """The messages of the turns that fit, in order.

    Args:
        turns: the messages of finished turns, newest turn first
        max_tokens: as :func:`estimate_tokens` counts the JSON of a message
    """
    kept: list[list[Message]] = []
    left = max_tokens
    for messages in turns:
        if not messages:
            continue
        if messages[0].get("content") == NEW_COMMAND:
            break
        left -= sum(map(_tokens_of, messages))
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


def _tokens_of(message: Message) -> int:
    images = 0

    def as_counted(value: object) -> object:
        nonlocal images
        if isinstance(value, list):
            return [as_counted(element) for element in value]
        if not isinstance(value, dict):
            return value
        images += "image_url" in value
        return {
            name: "" if name == "image_url" else as_counted(member)
            for name, member in value.items()
            if not name.startswith("svc_") or name == _KEPT_PARTS
        }

    return estimate_tokens(to_json(as_counted(message))) + images * _IMAGE_TOKENS
