"""One run of an action in this process: its deadline, its outcome and the delivery of the outcome."""

import asyncio
import math
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from svc.protocol.http import Progress
from svc.toolkit.action import Action
from svc.toolkit.cancellation import Cancellation, CancelReason
from svc.toolkit.context import ActionContext, Call

#: Seconds. The service itself reports a passed deadline; this timer is for a lost connection. Without the grace, a
#: handler that stops at its deadline would count as failed when its clock is a moment ahead.
_DEADLINE_GRACE = 0.05
#: Seconds. The maximum timer: a year is enough for any call.
_LONGEST_TIMEOUT = 366 * 24 * 60 * 60.0

#: ``answer``: on the connection of the invocation. ``result``: as a request on a later connection. ``unclear``: until
#: the service lists the results that it awaits. ``nothing``: the result is not awaited any more.
Delivery = Literal["answer", "result", "unclear", "nothing"]


class Invocation:
    """Its ``outcome`` is the text of the answer's members; None until the invocation has ended."""

    def __init__(self, action: Action, call: Call, send_progress: Callable[["Invocation", Progress], None]) -> None:
        self.id = call.invocation_id
        self.action = action
        self.delivery: Delivery = "answer"
        self.outcome: str | None = None
        self.cancelled = Cancellation()
        self.task: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        timeout = min(max(call.timeout, 0.0), _LONGEST_TIMEOUT)
        self._ends_at = self._loop.time() + timeout
        self._timer = self._loop.call_later(timeout + _DEADLINE_GRACE, self.cancelled.set, "timeout")
        self._send_progress = send_progress
        self.payload: Any = {} if call.payload is None else call.payload
        self.context = ActionContext(
            call, datetime.now(UTC) + timedelta(seconds=timeout), self.cancelled, self._progress
        )

    @property
    def is_late(self) -> bool:
        """True after the deadline."""
        return self._loop.time() >= self._ends_at

    def cancel(self, reason: CancelReason) -> None:
        if self.outcome is None:
            self.cancelled.set(reason)

    def end(self, outcome: str) -> None:
        self._timer.cancel()
        self.outcome = outcome
        # Releases the payload; only the outcome is still needed.
        self.payload = None

    def _progress(self, progress: Progress) -> None:
        """May be called in any thread."""
        if not _is_finite(progress["progress"]):
            return
        if threading.get_ident() == self._thread:
            self._send_progress(self, progress)
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._send_progress, self, progress)


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
