"""Progress for a client that requested it: the reports of the handler, and a sign of life after each 20 s without one,
because clients end a call that is silent for too long.

Shape: values grow, as the specification requires. A sign of life adds the least to the last value.
"""

import asyncio
from collections.abc import Callable

from svc.protocol.http import Progress

_SILENCE_SECONDS = 20.0
#: Too small to be seen in any value of a handler.
_LEAST_STEP = 2.0**-30


class CallProgress:
    """The progress of one call."""

    def __init__(self, send: Callable[[Progress], None]) -> None:
        self._send = send
        self._reported = float("-inf")
        self._last = Progress({"progress": -_LEAST_STEP})
        self._timer = self._start_timer()

    def report(self, report: Progress) -> None:
        # A repeated call restarts from the beginning.
        if report.progress <= self._reported:
            return
        self._reported = report.progress
        self._timer.cancel()
        grows = report.progress > self._last.progress
        self._pass_on(report if grows else Progress({**report, "progress": self._next()}))

    def end(self) -> None:
        """Called when the call has ended."""
        self._timer.cancel()

    def _start_timer(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(_SILENCE_SECONDS, self._give_sign_of_life)

    def _give_sign_of_life(self) -> None:
        self._pass_on(Progress({**self._last, "progress": self._next()}))

    def _pass_on(self, progress: Progress) -> None:
        self._last = progress
        self._timer = self._start_timer()
        self._send(progress)

    def _next(self) -> float:
        last = self._last.progress
        return last + _LEAST_STEP * max(1.0, abs(last))
