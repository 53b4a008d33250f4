"""The interface between an agent and a chat client.

```python
class PipeClient(BaseClient):
    client_id = "pipe"

    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    async def receive_message(self) -> MessageContext | None:
        return MessageContext(chat_id="1", user_id="ann", message=await self.lines.get())
    async def send_message(self, ctx: MessageContext, reply_messages: Sequence[Message]) -> None:
        print(reply_text(reply_messages))
```
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from svc.client.images import MAX_IMAGE_BYTES as MAX_IMAGE_BYTES
from svc.client.images import MAX_IMAGES as MAX_IMAGES
from svc.client.images import image_data_url as image_data_url
from svc.client.images import read_image_data_url as read_image_data_url
from svc.client.message import Message as Message
from svc.client.message import message_text as message_text
from svc.client.message import reply_images as reply_images
from svc.client.message import reply_text as reply_text
from svc.client.message_context import Answer as Answer
from svc.client.message_context import MessageContext as MessageContext
from svc.client.split import split as split
from svc.client.text_units import TextUnit as TextUnit


@dataclass(frozen=True)
class Question:
    """A question that a person answers with yes or no. Its id has up to 50 characters of ASCII."""

    id: str
    text: str


class RefusedReply(Exception):  # noqa: N818 (it names what happened, as in TypeScript)
    """The platform refused a reply permanently: the person blocked the bot, the channel is gone.

    Raised by ``send_message`` and ``ask_approval``. The agent does not try again.
    """


class BaseClient(ABC):
    """A connection to a platform where people write. Five members are required; the others are optional."""

    #: The position after which to continue after a restart, as JSON: set before ``start()``, read after each
    #: ``receive_message()``.
    cursor: Any = None

    @property
    @abstractmethod
    def client_id(self) -> str:
        """The client's id in stored rows.

        The id is stable over restarts, known before ``start()``, and different for each account. A class can set a
        fixed id: ``client_id = "pipe"``.
        """

    @abstractmethod
    async def start(self) -> None:
        """Connects. Retries while the platform cannot be reached.

        Raises:
            Exception: for credentials that the platform refuses; its message says what to do
        """

    @abstractmethod
    async def stop(self) -> None:
        """Disconnects. The agent may call this without an earlier ``start()``, and twice."""

    @abstractmethod
    async def receive_message(self) -> MessageContext | None:
        """Waits for the next message. The agent cancels the wait when it stops.

        Returns:
            None if there was no message for a while, or none that needs an answer.

        Raises:
            Exception: a failure that no retry can correct; the agent then continues without this client
        """

    @abstractmethod
    async def send_message(self, ctx: MessageContext, reply_messages: Sequence[Message]) -> None:
        """Sends the reply to a message.

        Args:
            ctx: the message, as ``receive_message`` returned it, perhaps before a restart
            reply_messages: the assistant's and the tools' messages of the turn, in order; the last is the assistant's
                text: ``reply_text``, ``reply_images``

        Raises:
            RefusedReply: if no later try can succeed; after any other error the agent calls this again
        """

    async def set_typing(self, ctx: MessageContext) -> None:  # noqa: B027 (optional)
        """Shows a typing signal. Called every 4 seconds while a turn runs."""

    async def show_partial(self, ctx: MessageContext, text: str) -> Any:
        """Shows the beginning of a reply: sends a message, or edits the message of an earlier call, ``ctx.partial``.

        A client without this member shows the whole reply at once.

        Returns:
            JSON that identifies the message.
        """
        raise NotImplementedError

    async def ask_approval(self, ctx: MessageContext, question: Question) -> Any:
        """Asks with two buttons. ``receive_message`` returns the press with ``answer``.

        Without this member the agent asks by ``send_message``, and the person writes yes or no.

        Returns:
            JSON that identifies the message of the question.
        """
        raise NotImplementedError

    async def end_question(self, ctx: MessageContext, shown: Any, text: str) -> None:  # noqa: B027 (optional)
        """Removes the buttons after the answer, or when the question expires.

        Args:
            ctx: the message that the question is about
            shown: the value that ``ask_approval`` returned
            text: replaces the question
        """


def has_member(client: BaseClient, name: str) -> bool:
    """True if the client implements an optional member."""
    return getattr(type(client), name) is not getattr(BaseClient, name)
