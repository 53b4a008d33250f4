"""Runs of code for one user and conversation: waits for the end of a program, and asks the application's user about
its calls.

Source: docs/protocol.md, section 14.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from svc.errors import SvcError
from svc.protocol.connections import RequiredConnection
from svc.protocol.http import InvokeResponse
from svc.protocol.json_text import to_json
from svc.protocol.runs import RUNS_PATH, CodeRun, DoneRun, FailedRun, RunAsk, RunningRun, WaitingRun
from svc.tools.caller_approvals import ApprovedCall, CallerApprovals, UnapprovedCall
from svc.tools.caller_connections import CallerConnections
from svc.tools.definitions import RUN_CODE_TOOL

#: Seconds of one request. Proxies end a request that is silent for a minute.
_ROUND = 45
#: Seconds between two requests to a service that answers at once.
_PAUSE = 0.25

_RUNS: dict[object, type[CodeRun]] = {"done": DoneRun, "failed": FailedRun, "waiting": WaitingRun}

#: Returns a run after at most some seconds.
FollowRun = Callable[[str, float], Awaitable[CodeRun]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunUser:
    """The user of a run, and the questions that the application can ask."""

    user_id: str | None
    approvals: CallerApprovals
    connections: CallerConnections
    #: The question about a call, without its payload.
    unapproved: Callable[[Callable[[], Awaitable[ApprovedCall]]], UnapprovedCall]


async def follow_code_run(first: CodeRun, follow: FollowRun, user: RunUser, timeout: float) -> CodeRun:
    """Follows a run to its end, as far as the time reaches. The time of the application's own user does not count.

    Args:
        first: the answer to its start.
        follow: asks the service.
        user: of the run.
        timeout: seconds.
    """
    asked: set[str] = set()
    run, left = first, timeout
    while isinstance(run, RunningRun | WaitingRun):
        if isinstance(run, WaitingRun) and not await _settle(run.asks, asked, user):
            break
        if left < 1:
            break
        started = time.monotonic()
        run = await follow(run.run, min(_ROUND, left))
        took = time.monotonic() - started
        if took < _PAUSE:
            await asyncio.sleep(_PAUSE - took)
        left -= max(took, _PAUSE)
    return run


async def _settle(asks: Sequence[RunAsk], asked: set[str], user: RunUser) -> bool:
    """False if the run goes on only after an answer that comes later, from elsewhere."""
    goes_on = user.approvals.waits or any("handle" in ask for ask in asks)
    for ask in asks:
        name = _name_of(ask)
        if name in asked:
            continue
        asked.add(name)
        if await _is_answered(ask, user):
            goes_on = True
    return goes_on


def _name_of(ask: RunAsk) -> str:
    if "approval" in ask:
        return ask["approval"]["id"]
    return ask["connect"]["toolkit"] if "connect" in ask else ask.get("handle", "")


async def _is_answered(ask: RunAsk, user: RunUser) -> bool:
    if "approval" in ask:

        async def describe() -> ApprovedCall:
            return {"action": ask["action"], "payload": ask["payload"], "userId": user.user_id}

        return await user.approvals.decides(ask["approval"], user.unapproved(describe))
    if "connect" in ask and "url" in ask["connect"]:
        return await user.connections.is_connected(ask["connect"], user.user_id)
    return False


def read_run(answer: Mapping[str, object]) -> CodeRun:
    """The service's answer about a run."""
    return _RUNS.get(answer.get("status"), RunningRun)(answer)


def run_path(run: object) -> str:
    """The path of a run.

    Raises:
        SvcError: INVALID_REQUEST
    """
    if not isinstance(run, str) or not run:
        raise SvcError("INVALID_REQUEST", f'A run is a text such as "run_…", not {run!r}')
    return f"{RUNS_PATH}/{quote(run, safe='')}"


def read_run_arguments(arguments: object) -> tuple[str | None, str | None]:
    """The program, or else the id of the run, in the arguments of a model.

    Raises:
        SvcError: INVALID_PAYLOAD for arguments with neither.
    """
    members = arguments if isinstance(arguments, dict) else {}
    code, run = members.get("code"), members.get("run")
    if isinstance(code, str) and code.strip():
        return code, None
    if isinstance(run, str) and run.strip():
        return None, run.strip()
    raise SvcError(
        "INVALID_PAYLOAD",
        f"{RUN_CODE_TOOL} needs `code`, the text of a program; or `run`, to go on with an unfinished one",
    )


def run_for_model(run: CodeRun, approvals: CallerApprovals, connections: CallerConnections) -> InvokeResponse:
    """The run as a result for a model. A link is left out that the application shows to its user itself."""
    shown: dict[str, object] = {name: value for name, value in run.items() if name != "content"}
    go_on = f"{RUN_CODE_TOOL} {to_json({'run': run['run']})}"
    if isinstance(run, RunningRun):
        shown["message"] = f"Still running. Read on with {go_on}"
    if isinstance(run, WaitingRun):
        shown["asks"] = [_without_links(ask, approvals, connections) for ask in run.asks]
        shown["message"] = (
            f"The program waits for the calls in asks. Tell the user what is needed, then read on with {go_on}"
        )
    content = run.content if isinstance(run, DoneRun | FailedRun) else None
    return InvokeResponse({"invocationId": run.run, "result": shown, **({"content": content} if content else {})})


def _without_links(ask: RunAsk, approvals: CallerApprovals, connections: CallerConnections) -> dict[str, object]:
    shown: dict[str, object] = {**ask}
    if "approval" in ask and approvals.asks_user and ask["approval"]["decidedBy"] == "app":
        shown["approval"] = {name: value for name, value in ask["approval"].items() if name != "url"}
    if "connect" in ask and connections.asks_user:
        connect: RequiredConnection = ask["connect"]
        shown["connect"] = {name: value for name, value in connect.items() if name != "url"}
    return shown
