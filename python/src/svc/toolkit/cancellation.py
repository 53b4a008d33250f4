"""A cooperative cancellation of a handler: its caller left, its deadline passed, or the toolkit stops. The handler
decides when to stop.
"""

import asyncio
import math
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Literal

from svc.toolkit.action_error import ActionError

CancelReason = Literal["cancelled", "timeout", "stopped"]

_ERRORS: dict[CancelReason, tuple[str, str]] = {
    "cancelled": ("INVOCATION_CANCELLED", "The caller cancelled"),
    "timeout": ("INVOCATION_TIMEOUT", "The deadline passed"),
    "stopped": ("TOOLKIT_STOPPED", "The toolkit stops"),
}

_making_events = threading.Lock()


class Cancellation:
    """True as soon as the handler should stop: ``if ctx.cancelled: return``. Can be read from any thread.

    Most handlers never wait for it, so its events and the timer of its deadline are made when a handler does.
    """

    __slots__ = ("_callbacks", "_ends_at", "_in_loop", "_in_threads", "_loop", "_reason", "_timer")

    def __init__(self, ends_at: float = math.inf) -> None:
        """Args: ends_at: the deadline, in seconds of the event loop's clock."""
        self._ends_at = ends_at
        self._loop = asyncio.get_running_loop()
        self._reason: CancelReason | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._in_loop: asyncio.Event | None = None
        self._in_threads: threading.Event | None = None
        self._callbacks: set[Callable[[], object]] | None = None

    def __bool__(self) -> bool:
        return self.reason is not None

    @property
    def reason(self) -> CancelReason | None:
        """``cancelled``, ``timeout`` or ``stopped``; None while the handler should continue."""
        if self._reason is None and self._loop.time() >= self._ends_at:
            return "timeout"
        return self._reason

    async def wait(self) -> None:
        """Returns when the handler should stop: for asynchronous handlers."""
        if self:
            return
        if self._in_loop is None:
            self._in_loop = asyncio.Event()
        self._start_timer()
        await self._in_loop.wait()

    def wait_in_thread(self, timeout: float | None = None) -> bool:
        """Waits at most that many seconds: for plain handlers, in place of ``time.sleep``.

        Returns:
            True if the handler should stop.
        """
        with _making_events:
            if self._in_threads is None:
                self._in_threads = threading.Event()
        # `set` reads the event after it wrote the reason, so one of the two sees the other.
        if self:
            return True
        # The loop may have ended, and with it its timers.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._start_timer)
        return self._in_threads.wait(timeout)

    def set(self, reason: CancelReason) -> None:
        """The first reason counts."""
        if self._reason is not None:
            return
        self._reason = self.reason or reason
        if self._timer:
            self._timer.cancel()
        if self._in_loop:
            self._in_loop.set()
        if self._in_threads:
            self._in_threads.set()
        for callback in list(self._callbacks or ()):
            callback()

    def close(self) -> None:
        """The handler has ended: a deadline that passes later sets nothing."""
        if self:
            self.set("timeout")
        self._ends_at = math.inf
        if self._timer:
            self._timer.cancel()

    def _start_timer(self) -> None:
        if self._timer is None and self._ends_at < math.inf:
            self._timer = self._loop.call_at(self._ends_at, self.set, "timeout")

    @asynccontextmanager
    async def scope(self) -> AsyncIterator[None]:
        """Cancels the block inside as soon as the handler should stop, and raises ActionError then."""
        task = asyncio.current_task()
        assert task is not None
        fired = False

        def cancel() -> None:
            nonlocal fired
            fired = True
            task.cancel()

        if self._callbacks is None:
            self._callbacks = set()
        self._callbacks.add(cancel)
        self._start_timer()
        if self:
            cancel()
        try:
            yield
            if fired:
                # The block ended before it was cancelled: the cancellation must not reach the code behind it.
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            if not fired or task.uncancel() > 0:
                raise
            raise self._error() from None
        finally:
            self._callbacks.discard(cancel)

    def _error(self) -> ActionError:
        code, message = _ERRORS[self.reason or "cancelled"]
        return ActionError(code, message)
