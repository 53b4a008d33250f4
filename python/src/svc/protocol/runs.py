"""Runs of code: programs of models that the service runs. docs/protocol.md, section 14."""

from typing import Any, Literal, NotRequired, TypedDict, final

from svc.protocol.approvals import RequiredApproval
from svc.protocol.connections import RequiredConnection

RUNS_PATH = "/v1/runs"
#: The beginning of the id of a run.
RUN_PREFIX = "run_"

RunErrorCode = Literal[
    "CODE_TOO_LONG",
    "SYNTAX_ERROR",
    "PROGRAM_ERROR",
    "MEMORY_LIMIT",
    "CPU_LIMIT",
    "TIMEOUT",
    "TOO_MANY_CALLS",
    "RESULT_TOO_LONG",
    "CALLS_NOT_AWAITED",
    "NEVER_ENDS",
    "DIVERGED",
    "CANCELLED",
    "BUSY",
    "SANDBOX_LOST",
    "KEY_ENDED",
]


class ProgramLine(TypedDict):
    """A line of a program, from 1."""

    line: int
    source: str


class RunError(TypedDict):
    """Why a program failed."""

    code: RunErrorCode
    message: str
    at: NotRequired[ProgramLine]
    details: NotRequired[Any]


class RunAsk(TypedDict):
    """A call that waits: for a decision, an account, or long work. It has one of the first three members."""

    approval: NotRequired[RequiredApproval]
    connect: NotRequired[RequiredConnection]
    #: ``inv_…``, of a call that goes on without its caller.
    handle: NotRequired[str]
    #: Action id.
    action: str
    #: The payload that would run.
    payload: dict[str, Any]


@final
class DoneRun(TypedDict):
    """A run whose program has returned."""

    #: ``run_…``
    run: str
    status: Literal["done"]
    #: The returned value of the program, as JSON; None for none.
    result: Any
    log: NotRequired[str]
    #: Texts and images that the program emitted, in order.
    content: NotRequired[list[dict[str, Any]]]
    #: Calls, searches and descriptions that the program asked for.
    calls: int


@final
class FailedRun(TypedDict):
    """A run whose program failed."""

    run: str
    status: Literal["failed"]
    error: RunError
    log: NotRequired[str]
    content: NotRequired[list[dict[str, Any]]]
    #: Ids of the actions that ran, or may have run.
    ran: list[str]


@final
class WaitingRun(TypedDict):
    """A run that goes on by itself when one of these calls has its answer."""

    run: str
    status: Literal["waiting"]
    asks: list[RunAsk]
    log: NotRequired[str]


@final
class RunningRun(TypedDict):
    """A run whose program has not ended within the wait."""

    run: str
    status: Literal["running"]
    #: Calls so far.
    calls: int


#: A run, as far as it is.
CodeRun = DoneRun | FailedRun | WaitingRun | RunningRun
