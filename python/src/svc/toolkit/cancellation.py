"""A cooperative cancellation of a handler: its caller left, its deadline passed, or the toolkit stops. The handler
decides when to stop.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Literal

from svc.toolkit.action_error import ActionError

CancelReason = Literal["cancelled", "timeout", "stopped"]

_ERRORS: dict[CancelReason, tuple[str, str]] = {
    "cancelled": ("INVOCATION_CANCELLED", "The caller cancelled"),
    "timeout": ("INVOCATION_TIMEOUT", "The deadline passed"),
    "stopped": ("TOOLKIT_STOPPED", "The toolkit stops"),
}


class Cancellation:
    """True as soon as the handler should stop: ``if ctx.cancelled: return``. Can be read from any thread."""

    def __init__(self) -> None:
        self._reason: CancelReason | None = None
        self._in_loop = asyncio.Event()
        self._in_threads = threading.Event()
        self._callbacks: set[Callable[[], object]] = set()

    def __bool__(self) -> bool:
        return self._reason is not None

    @property
    def reason(self) -> CancelReason | None:
        """``cancelled``, ``timeout`` or ``stopped``; None while the handler should continue."""
        return self._reason

    async def wait(self) -> None:
        """Returns when the handler should stop: for asynchronous handlers."""
        await self._in_loop.wait()

    def wait_in_thread(self, timeout: float | None = None) -> bool:
        """Waits at most that many seconds: for plain handlers, in place of ``time.sleep``.

        Returns:
            True if the handler should stop.
        """
        return self._in_threads.wait(timeout)

    def set(self, reason: CancelReason) -> None:
        """The first reason counts."""
        if self._reason is not None:
            return
        self._reason = reason
        self._in_loop.set()
        self._in_threads.set()
        for callback in list(self._callbacks):
            callback()

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

        self._callbacks.add(cancel)
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
        code, message = _ERRORS[self._reason or "cancelled"]
        return ActionError(code, message)
