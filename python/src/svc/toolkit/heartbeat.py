"""Sends heartbeats to the service, one at a time.

Units: ``every`` in seconds, which is also the timeout of an answer.
"""

import asyncio
from collections.abc import Callable

#: Seconds. A busy process runs its timers before it reads its sockets, so an answer that has already arrived must
#: count.
_READ_TIME = 0.1


class Heartbeat:
    """The heartbeats of one connection."""

    def __init__(self, every: float, beat: Callable[[Callable[[], None]], None], lost: Callable[[], None]) -> None:
        """Starts the heartbeats.

        Args:
            every: seconds.
            beat: sends one heartbeat, and calls its argument when the answer came.
            lost: called if no answer came in time.
        """
        self._every = every
        self._beat = beat
        self._lost = lost
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._in_flight = False
        self._wanted_again = False
        self._soon = False
        self._stopped = False
        self._rest(every)

    def now(self) -> None:
        """Sends an early heartbeat: now, or as soon as the open one is answered."""
        if self._stopped:
            return
        if self._in_flight:
            self._wanted_again = True
            return
        self._soon = self._wanted_again = False
        self._in_flight = True
        self._set_timer(self._every, self._read_once_more)
        self._beat(self._answered)

    def within(self, seconds: float) -> None:
        """Sends a heartbeat soon, unless one is open: later results ask again after its answer."""
        if not (self._stopped or self._in_flight or self._soon):
            self._soon = True
            self._rest(min(seconds, self._every))

    def stop(self) -> None:
        self._stopped = True
        if self._timer:
            self._timer.cancel()

    def _rest(self, seconds: float) -> None:
        self._set_timer(seconds, self.now)

    def _set_timer(self, seconds: float, callback: Callable[[], None]) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, callback)

    def _answered(self) -> None:
        if self._stopped:
            return
        self._in_flight = False
        if self._wanted_again:
            self.now()
        else:
            self._rest(self._every)

    def _read_once_more(self) -> None:
        self._set_timer(_READ_TIME, self._lost)
