"""A fake of a platform for tests: real HTTP (and WebSocket) on loopback, with faults on demand."""

from collections.abc import Awaitable, Sequence
from typing import Literal, NotRequired, Protocol, TypedDict, Unpack


class FakeFault(TypedDict, total=False):
    """A failure of the next requests, or of the gateway's connection."""

    #: Default: 1.
    times: int
    #: The answer's status.
    status: int
    #: The Retry-After of the answer, in seconds.
    retry_after: int
    #: Destroys the socket.
    cut: bool
    #: Seconds before the answer.
    hang: float
    #: The request takes effect before the fault.
    done: bool
    #: Closes the gateway's connection with this code.
    close: int
    #: The gateway does not acknowledge heartbeats.
    silent: bool


class SentMessage(TypedDict):
    """A message of the bot in its current form."""

    chat_id: str
    text: str
    #: Labels.
    buttons: NotRequired[Sequence[str]]


class FakePlatform(Protocol):
    """The members that the contract needs. ``say`` and ``press`` may be plain or asynchronous. ``client_options`` and
    ``wrong_credentials``, dictionaries of texts, are searched for credentials too, if the fake has them.
    """

    @property
    def secret(self) -> str:
        """The credential that must not appear in errors."""

    @property
    def sent(self) -> Sequence[SentMessage]:
        """The current messages of the bot, in order."""

    def say(self, text: str, *, chat_id: str, user_id: str = ..., twice: bool = ...) -> Awaitable[object] | object:
        """Writes as a person. ``twice`` delivers the message twice. The platform keeps it until the cursor has passed
        it.
        """

    def press(self, button: Literal["yes", "no"], *, chat_id: str, user_id: str) -> Awaitable[object] | object:
        """Presses a button of the newest question in a chat."""

    def fault(self, **fault: Unpack[FakeFault]) -> None:
        """Makes requests fail. A platform without a gateway ignores ``close`` and ``silent``."""
