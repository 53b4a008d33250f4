"""A turn: what one person wrote, and everything up to the reply."""

from dataclasses import dataclass
from typing import Any, Literal, NotRequired, TypedDict

from svc.client.message_context import MessageContext

TurnState = Literal["queued", "running", "asking", "replying", "done"]


class Approval(TypedDict):
    """The question about the calls of one step. Stored as JSON, the same in all languages."""

    question_id: str
    text: str
    #: Index of each call that needs approval -> the price that the person saw, ``0`` if it is free.
    calls: dict[str, str]
    #: Index of each call of which nobody knows whether it needs approval -> the error that the model reads: the call
    #: does not run.
    failed: NotRequired[dict[str, Any]]
    #: Index of each call of the step -> the version of its action that was decided about. Absent: asked by svc-sdk
    #: before 0.14.
    versions: NotRequired[dict[str, str]]
    #: When silence becomes a no, in milliseconds since 1970.
    until: int
    #: True once the question was sent.
    asked: NotRequired[bool]
    #: The value that ``ask_approval`` of the client returned.
    shown: NotRequired[Any]
    #: Absent while nobody has answered.
    approved: NotRequired[bool]


@dataclass(kw_only=True)
class AgentTurn:
    """A row of ``svc_turn``.

    Attributes:
        id: ``turn_`` and 24 random hexadecimal digits.
        client_id: The client that received the message.
        at: When the message came in, in milliseconds since 1970.
        attempts: Starts without progress, this one included.
        ctx: The message.
        state: How far the turn is.
        approval: The newest question.
        error: Why it ended early, as ``<code>: <words>``.
        written: How many messages are written.
    """

    id: str
    client_id: str
    at: int
    attempts: int
    ctx: MessageContext
    state: TurnState
    approval: Approval | None
    error: str | None
    written: int


class LostTurnError(Exception):
    """Another process, or a ``/stop``, has changed the turn: nothing was written."""
