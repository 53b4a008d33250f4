"""Runs of code: programs of models that the service runs. docs/protocol.md, section 14."""

from typing import TYPE_CHECKING, Any, Literal, overload

from svc.protocol.answer import Answer
from svc.protocol.approvals import RequiredApproval
from svc.protocol.connections import RequiredConnection
from svc.protocol.content import ContentBlock

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


class ProgramLine(Answer):
    """A line of a program, from 1."""

    line: int
    source: str

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["line"], /) -> int: ...
        @overload
        def __getitem__(self, key: Literal["source"], /) -> str: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class RunError(Answer):
    """Why a program failed."""

    code: RunErrorCode
    message: str
    at: ProgramLine | None
    details: Any

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["code"], /) -> RunErrorCode: ...
        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["at"], /) -> ProgramLine: ...
        @overload
        def __getitem__(self, key: Literal["details"], /) -> Any: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class RunAsk(Answer):
    """A call that waits: for a decision, an account, or long work. It has one of the first three members."""

    approval: RequiredApproval | None
    connect: RequiredConnection | None
    #: ``inv_…``, of a call that goes on without its caller.
    handle: str | None
    #: Action id.
    action: str
    #: The payload that would run.
    payload: dict[str, Any]

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["approval"], /) -> RequiredApproval: ...
        @overload
        def __getitem__(self, key: Literal["connect"], /) -> RequiredConnection: ...
        @overload
        def __getitem__(self, key: Literal["handle", "action"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["payload"], /) -> dict[str, Any]: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class DoneRun(Answer):
    """A run whose program has returned."""

    #: ``run_…``
    run: str
    status: Literal["done"]
    #: The returned value of the program, as JSON; None for none.
    result: Any
    log: str | None
    #: Texts and images that the program emitted, in order.
    content: list[ContentBlock] | None
    #: Calls, searches and descriptions that the program asked for.
    calls: int

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["run", "log"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["done"]: ...
        @overload
        def __getitem__(self, key: Literal["result"], /) -> Any: ...
        @overload
        def __getitem__(self, key: Literal["content"], /) -> list[ContentBlock]: ...
        @overload
        def __getitem__(self, key: Literal["calls"], /) -> int: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class FailedRun(Answer):
    """A run whose program failed."""

    run: str
    status: Literal["failed"]
    error: RunError
    log: str | None
    content: list[ContentBlock] | None
    #: Ids of the actions that ran, or may have run.
    ran: list[str]

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["run", "log"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["failed"]: ...
        @overload
        def __getitem__(self, key: Literal["error"], /) -> RunError: ...
        @overload
        def __getitem__(self, key: Literal["content"], /) -> list[ContentBlock]: ...
        @overload
        def __getitem__(self, key: Literal["ran"], /) -> list[str]: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class WaitingRun(Answer):
    """A run that goes on by itself when one of these calls has its answer."""

    run: str
    status: Literal["waiting"]
    asks: list[RunAsk]
    log: str | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["run", "log"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["waiting"]: ...
        @overload
        def __getitem__(self, key: Literal["asks"], /) -> list[RunAsk]: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class RunningRun(Answer):
    """A run whose program has not ended within the wait."""

    run: str
    status: Literal["running"]
    #: Calls so far.
    calls: int

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["run"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["running"]: ...
        @overload
        def __getitem__(self, key: Literal["calls"], /) -> int: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


#: A run, as far as it is.
CodeRun = DoneRun | FailedRun | WaitingRun | RunningRun
