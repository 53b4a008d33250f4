"""A message of one person in one chat."""

from dataclasses import dataclass, field
from typing import Any


class InvalidMessageError(TypeError):
    """A client made a message that cannot be stored. The agent skips the message and continues."""


@dataclass
class Answer:
    """A button that was pressed under a question of ``ask_approval``."""

    question_id: str
    approved: bool


@dataclass
class MessageContext:
    """A received message. All members are JSON, because the message is stored, and its answer may be sent after a
    restart.

    Attributes:
        chat_id: The conversation, within one client. Messages of a chat are answered in order, and chats do not wait
            for each other.
        user_id: The person who wrote.
        message: The text. It may be empty if there are images.
        message_id: Messages with the same id are answered once. A message without an id that the platform delivers
            twice is answered twice.
        user_name: The name that the model reads in chats with several people.
        is_private: False in a chat with several people.
        images: Data URLs, from ``image_data_url``. Never pass an address that holds a token.
        answer: Present if a button was pressed under a question of ``ask_approval``; ``message`` is not read then.
        address: The part that the client needs to answer, such as the ids of a channel and of a message.
        partial: Set by the agent: what ``show_partial`` returned last. ``send_message`` replaces the partial text by
            the reply.
    """

    chat_id: str
    user_id: str
    message: str
    message_id: str | None = None
    user_name: str | None = None
    is_private: bool = True
    images: list[str] = field(default_factory=list)
    answer: Answer | None = None
    address: Any = None
    partial: Any = None

    def __post_init__(self) -> None:
        """Raises InvalidMessageError for ids that are numbers: most platforms use numbers, and the file stores
        texts.
        """
        for name in ("chat_id", "user_id", "message"):
            if not isinstance(getattr(self, name), str):
                raise InvalidMessageError(f"{name} must be a text, not {getattr(self, name)!r}: write str(…)")
        for name in ("message_id", "user_name"):
            if not isinstance(getattr(self, name), str | None):
                raise InvalidMessageError(f"{name} must be a text, not {getattr(self, name)!r}: write str(…)")
