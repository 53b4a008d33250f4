"""The statuses that ``on_status`` and ``ready()`` report about the connection: one class per state."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from svc.errors import SvcError


@dataclass(frozen=True, slots=True)
class ToolkitInfo:
    """The toolkit as stored by the service."""

    id: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class RejectedAction:
    """An action that the service does not accept, with the reason."""

    action: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """The service's answer to the registration.

    Attributes:
        toolkit: the toolkit as agents see it.
        accepted: action ids.
        warnings: findings of the linter about served actions: ``{rule, severity, action?, message, hint}``.
        more_warnings: the number of further warnings: the service sends the first 50.
        held: ids of accepted actions that agents cannot use before an owner of the service approves them.
    """

    toolkit: ToolkitInfo
    accepted: list[str]
    warnings: list[dict[str, Any]]
    more_warnings: int
    held: list[str]


@dataclass(frozen=True, slots=True)
class Connecting:
    """A connection is being opened."""

    state: ClassVar[Literal["connecting"]] = "connecting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """The toolkit is registered. Reported again after each change of the list of actions, and after a move to another
    node.

    Attributes:
        registration: the service's answer.
        rejected: actions that the service does not accept.
        refused: the service refused the change and keeps the old list.
    """

    state: ClassVar[Literal["connected"]] = "connected"
    registration: Registration
    rejected: list[RejectedAction]
    refused: SvcError | None = None


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection is lost, or could not be opened.

    Attributes:
        reason: its code is SERVICE_UNREACHABLE, CONNECTION_CLOSED, or the code of the service's own error.
        retry_in: seconds until the next try.
    """

    state: ClassVar[Literal["disconnected"]] = "disconnected"
    reason: SvcError
    retry_in: float


@dataclass(frozen=True, slots=True)
class Stopped:
    """The last status.

    Attributes:
        reason: the error that ``run()`` raises; None after ``stop()``.
    """

    state: ClassVar[Literal["stopped"]] = "stopped"
    reason: SvcError | None = None


ToolkitStatus = Connecting | Connected | Disconnected | Stopped


@dataclass(frozen=True, slots=True)
class CallWarning:
    """A mistake of this toolkit in a call, as the service or the SDK sees it."""

    invocation_id: str
    message: str


StatusListener = Callable[[ToolkitStatus], None]
WarningListener = Callable[[CallWarning], None]
