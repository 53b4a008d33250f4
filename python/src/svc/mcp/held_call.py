"""A call that waits for a person's decision, or runs for long: held as long as clients wait for an answer. After that
its answer has a handle.

Units: seconds.
"""

import asyncio
import time
from collections.abc import Callable

from svc.errors import SvcError
from svc.protocol.approvals import RequiredApproval
from svc.protocol.http import Progress
from svc.tools.tool_answer import ToolAnswer
from svc.tools.tools import Tools
from svc.tools.unfinished import is_undecided

#: Most clients end a silent request after 60 s.
SILENT = 45.0

_MAX_ROUND = 45
#: The time between two looks at a service that answers at once, such as a node that stops.
_PAUSE = 0.5

_OF_A_LOOK = frozenset(
    (
        "NOT_FOUND",
        "INVALID_KEY",
        "KEY_EXPIRED",
        "KEY_REVOKED",
        "WRONG_KEY_KIND",
        "RATE_LIMITED",
        "INTERNAL",
        "SERVICE_STOPPING",
        "SERVICE_UNAVAILABLE",
        "SERVICE_UNREACHABLE",
    )
)


class HeldCall:
    """A call that may be made again: with one idempotency key, so that it runs once."""

    def __init__(
        self,
        tools: Tools,
        name: str,
        arguments: object,
        *,
        idempotency_key: str,
        wait: float,
        on_progress: Callable[[Progress], None] | None,
    ) -> None:
        """
        Args:
            tools: of the process.
            name: of the tool.
            arguments: of the model.
            idempotency_key: of the call.
            wait: the time after which a long action gives a handle.
            on_progress: called with the progress of the handler.
        """
        self._tools = tools
        self._name = name
        self._arguments = arguments
        self._idempotency_key = idempotency_key
        self._wait = wait
        self._on_progress = on_progress

    async def answer(self, hold: float, approval_id: str | None = None) -> ToolAnswer:
        """The answer after at most this time, in addition to the time of one call.

        Args:
            hold: the time to wait for a person, or for the result of an action that takes long.
            approval_id: the question of an earlier round, to wait for first.
        """
        ends_at = time.monotonic() + hold
        if approval_id is not None:
            await self._is_decided(approval_id, ends_at)
        answer = await self._call()
        asked: str | None = None
        while _seconds_until(ends_at) > 0:
            if answer.unfinished is not None:
                answer = await self._follow(answer, answer.unfinished["invocationId"], _seconds_until(ends_at))
                continue
            approval = approval_of(answer)
            if approval is None or not await self._is_decided(approval["id"], ends_at):
                break
            if approval["id"] == asked:
                await asyncio.sleep(_PAUSE)
            asked = approval["id"]
            answer = await self._call()
        return answer

    async def _call(self) -> ToolAnswer:
        return await self._tools.answer_tool(
            self._name,
            self._arguments,
            idempotency_key=self._idempotency_key,
            wait=self._wait,
            on_progress=self._on_progress,
        )

    async def _follow(self, last: ToolAnswer, handle: str, seconds: int) -> ToolAnswer:
        """The outcome of a call that goes on, or its handle again."""
        began = time.monotonic()
        answer = await self._tools.answer_tool(self._name, None, handle=handle, wait=seconds)
        if answer.error and is_of_look(answer.error):
            answer = last
        if answer.unfinished is None:
            return answer
        progress = answer.unfinished.get("progress")
        if progress and self._on_progress:
            self._on_progress(progress)
        await asyncio.sleep(max(0.0, _PAUSE - (time.monotonic() - began)))
        return answer

    async def _is_decided(self, approval_id: str, ends_at: float) -> bool:
        """False if there is no decision in time."""
        while (left := _seconds_until(ends_at)) > 0:
            try:
                found = await self._tools.result(approval_id, wait=left)
                is_pending = is_undecided(found)
            except SvcError as error:
                is_pending = error.retryable
            if not is_pending:
                return True
            await asyncio.sleep(_PAUSE)
        return False


def approval_of(answer: ToolAnswer) -> RequiredApproval | None:
    """The question that a person has not answered."""
    if answer.error is None or answer.error.code != "APPROVAL_REQUIRED":
        return None
    approval = answer.error.details.get("approval")
    return None if approval is None else RequiredApproval(approval)


def is_of_look(error: SvcError) -> bool:
    """True for an error of the question about a call: the call itself goes on."""
    return error.code in _OF_A_LOOK


def _seconds_until(end: float) -> int:
    return min(_MAX_ROUND, round(end - time.monotonic()))
