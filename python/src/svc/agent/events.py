"""The events of an agent: the library prints nothing."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from svc.agent.model.ask_model import TokenCount

#: How a turn ended. ``answered``: the model's own text. Otherwise the person read a fixed text: ``model-failed``,
#: ``step-limit``, ``time-out``, ``stopped``, ``given-up`` (four starts without progress, or older than 12 hours),
#: ``service-unreachable``. ``not-sent``: the platform refused the reply.
TurnCode = Literal[
    "answered",
    "model-failed",
    "step-limit",
    "time-out",
    "stopped",
    "given-up",
    "service-unreachable",
    "not-sent",
]

ClientState = Literal["waiting", "started", "stopped", "failed"]


@dataclass(frozen=True, kw_only=True)
class TurnStartEvent:
    """A turn begins or resumes."""

    type: ClassVar[str] = "turn-start"
    client_id: str
    chat_id: str
    turn_id: str


@dataclass(frozen=True, kw_only=True)
class TurnEndEvent:
    """A turn is over.

    Attributes:
        seconds: Since the message arrived.
        tokens: Sum over all model calls of this process for the turn; zeros if the model's server counts none.
    """

    type: ClassVar[str] = "turn-end"
    client_id: str
    chat_id: str
    turn_id: str
    code: TurnCode
    seconds: float
    tokens: TokenCount


@dataclass(frozen=True, kw_only=True)
class ModelErrorEvent:
    """A model did not answer, or not with a message."""

    type: ClassVar[str] = "model-error"
    client_id: str
    chat_id: str
    turn_id: str
    model: str
    error: Exception
    will_retry: bool


@dataclass(frozen=True, kw_only=True)
class ReplyErrorEvent:
    """The platform did not take a reply, a question or a partial text. Replies and questions are sent again."""

    type: ClassVar[str] = "reply-error"
    client_id: str
    chat_id: str
    turn_id: str
    error: Exception


@dataclass(frozen=True, kw_only=True)
class MessageErrorEvent:
    """A client returned something that is not a message. The agent skips it and continues."""

    type: ClassVar[str] = "message-error"
    client_id: str
    error: Exception


@dataclass(frozen=True, kw_only=True)
class HandlerErrorEvent:
    """A function of the program raised: ``accept`` then refuses, and ``approve`` says no."""

    type: ClassVar[str] = "handler-error"
    handler: Literal["accept", "approve"]
    error: Exception


@dataclass(frozen=True, kw_only=True)
class ApprovalsErrorEvent:
    """The service refused or could not answer a request of ``approvals``: for its questions, or with a decision. The
    agent asks for the questions again.
    """

    type: ClassVar[str] = "approvals-error"
    error: Exception


@dataclass(frozen=True, kw_only=True)
class ClientStateEvent:
    """A client changed its state.

    Attributes:
        state: ``waiting``: another process has the client. ``failed``: the client ended with ``error``, and the other
            clients continue.
    """

    type: ClassVar[str] = "client-state"
    client_id: str
    state: ClientState
    error: Exception | None = None


AgentEvent = (
    TurnStartEvent
    | TurnEndEvent
    | ModelErrorEvent
    | ReplyErrorEvent
    | MessageErrorEvent
    | HandlerErrorEvent
    | ApprovalsErrorEvent
    | ClientStateEvent
)
