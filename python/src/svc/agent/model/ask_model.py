"""The part of a language model that an agent needs."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from svc.client.message import Message


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """A request to a model.

    Attributes:
        model: The id from ``get_model``, such as ``openai/gpt-5-mini``.
        messages: The system prompt, the history and the messages of this turn.
        tools: In the shape of chat completions. Empty if the model has to answer with text.
        on_text: Present if the agent shows partial text: called with the whole text so far.
    """

    model: str
    messages: Sequence[Message]
    tools: Sequence[dict[str, Any]]
    on_text: Callable[[str], None] | None = None


@dataclass
class TokenCount:
    """Tokens as the model's server counted them."""

    input: int = 0
    output: int = 0


@dataclass(frozen=True)
class CountedMessage:
    """The assistant's message, with the tokens that the request and the answer took."""

    message: Message
    tokens: TokenCount


#: The assistant's message, alone or with its token counts.
ModelAnswer = Message | CountedMessage

#: Asks a model once, without retries. Its task is cancelled when the turn ends early.
#:
#: It raises ModelRequestError, which says whether another try may succeed. An error of another class with a number
#: ``status_code`` or ``status`` is read as the HTTP status of the model's server, and any other error ends the turn.
AskModel = Callable[[ModelRequest], Awaitable[ModelAnswer]]
