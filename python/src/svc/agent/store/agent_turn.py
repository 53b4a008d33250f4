"""A turn: one person's message, and every step up to the reply."""

from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from svc.client.message_context import MessageContext

TurnState = Literal["queued", "running", "asking", "replying", "done"]


class Approval(TypedDict):
    """The question about the calls of one step. Stored as JSON, the same in all languages."""

    question_id: str
    text: str
    #: Index of each call that needs approval -> the price that the person saw, ``0`` if it is free.
    calls: dict[str, str]
    #: Index of each call that could not be decided about -> the error that the model reads. The call then does not run.
    failed: NotRequired[dict[str, object]]
    #: Index of each call that needs approval -> the version of its action that the person saw. Absent in questions of
    #: svc-sdk before 0.14.
    versions: NotRequired[dict[str, str]]
    #: When the question expires as declined, in milliseconds since 1970.
    until: int
    #: True once the question was sent.
    asked: NotRequired[bool]
    #: The value that ``ask_approval`` of the client returned.
    shown: NotRequired[object]
    #: Absent until a person answers.
    approved: NotRequired[bool]


class Connecting(TypedDict):
    """The account that a call of the turn needs, and that its person was asked to connect. Stored as JSON, the same in
    all languages.
    """

    toolkit: str
    #: End of the wait, in milliseconds since 1970.
    until: int
    #: True once the link was sent. The link is not stored: after a crash before, the same call gives another one.
    asked: NotRequired[bool]
    #: The prompt that names the outcome of the last code, until it was sent.
    note: NotRequired[Literal["reply.connect.wrong", "reply.connect.later"]]
    #: The number of wrong codes.
    wrong: NotRequired[int]
    #: Present when the wait ended without an account: no call of this turn asks for one again.
    ended: NotRequired[Literal["declined", "expired"]]


class Deciding(TypedDict):
    """The call of a step that a person elsewhere has to approve, such as the owner of the key in the console. Stored as
    JSON, the same in all languages.
    """

    question_id: str
    #: The call in its step.
    index: int
    #: ``apr_…``
    handle: str
    #: Begin and end of the wait, in milliseconds since 1970.
    since: int
    until: int
    #: True once the chat has the message about the wait.
    shown: NotRequired[bool]
    #: True once it was decided. A turn that waited may be older than others.
    ended: NotRequired[bool]
    #: Index of each call that was refused -> the error that the model reads. The call then does not run.
    refused: NotRequired[dict[str, object]]


@dataclass(kw_only=True)
class AgentTurn:
    """A row of ``svc_turn``.

    Attributes:
        id: ``turn_`` and 24 random hexadecimal digits.
        client_id: The client that received the message.
        at: When the message arrived, in milliseconds since 1970.
        attempts: Starts without progress, this one included.
        ctx: The message.
        state: How far the turn is.
        approval: The newest question.
        connecting: The newest account that was asked for.
        deciding: The newest call that people elsewhere decide about.
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
    connecting: Connecting | None
    deciding: Deciding | None
    error: str | None
    written: int


class LostTurnError(Exception):
    """Another process or a ``/stop`` changed the turn first, so nothing was written."""
