"""A call that waits for a person's decision, or runs for long: held as long as clients wait for an answer.

Units: seconds.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any, cast

from svc.errors import SvcError
from svc.protocol.approvals import RequiredApproval
from svc.protocol.http import Progress
from svc.tools.tool_answer import ToolAnswer
from svc.tools.tools import Tools

#: Most clients end a silent request after 60 s.
SILENT = 45.0

_MAX_ROUND = 45
#: The time between two looks at a service that answers at once, such as a node that stops.
_PAUSE = 0.5


class HeldCall:
    """A call that may be made again: with one idempotency key, so that it runs once."""

    def __init__(
        self,
        tools: Tools,
        name: str,
        arguments: Any,
        *,
        idempotency_key: str,
        on_progress: Callable[[Progress], None] | None,
    ) -> None:
        self._tools = tools
        self._name = name
        self._arguments = arguments
        self._idempotency_key = idempotency_key
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
        while True:
            answer = await self._tools.answer_tool(
                self._name, self._arguments, idempotency_key=self._idempotency_key, on_progress=self._on_progress
            )
            approval = approval_of(answer)
            if approval is not None:
                goes_on = await self._is_decided(approval["id"], ends_at)
            else:
                goes_on = answer.unfinished is not None and time.monotonic() < ends_at
            if not goes_on:
                return answer

    async def _is_decided(self, approval_id: str, ends_at: float) -> bool:
        """False if there is no decision in time."""
        while (left := int(ends_at - time.monotonic())) > 0:
            try:
                found = await self._tools.result(approval_id, wait=min(left, _MAX_ROUND))
                is_pending = "approval" in found and found["approval"]["status"] == "pending"
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
    return cast(RequiredApproval | None, answer.error.details.get("approval"))
