"""Ends work early, with a reason, even work that ignores its cancellation."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

Result = TypeVar("Result")

#: The event loop itself keeps only weak references to tasks.
_abandoned: set[asyncio.Future[Any]] = set()


class AbortSignal:
    """An abort with a reason, possible during any await.

    A cancelled asyncio task can go on, because foreign code may catch the cancellation. So the agent's own steps are
    never cancelled. The steps ``race`` each call of a model, a tool or a client against the signal.
    """

    def __init__(self, parent: "AbortSignal | None" = None) -> None:
        """
        Args:
            parent: aborts this signal too when it is aborted
        """
        self.reason: Exception | None = parent.reason if parent else None
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if parent:
            parent._ended.add_done_callback(lambda _: self.abort(parent.reason or RuntimeError("The parent ended")))

    @property
    def aborted(self) -> bool:
        return self.reason is not None

    def abort(self, reason: Exception) -> None:
        """The first reason counts."""
        if self.reason is None:
            self.reason = reason
            self._ended.set_result(None)

    def raise_if_aborted(self) -> None:
        if self.reason is not None:
            raise self.reason

    async def race(self, work: Awaitable[Result]) -> Result:
        """The result of the work.

        Raises:
            Exception: the reason, if the signal is aborted first; the work is then cancelled, and its end is not
                awaited
        """
        task = asyncio.ensure_future(work)
        if self.reason is None:
            try:
                await asyncio.wait((task, self._ended), return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError:
                abandon(task)
                raise
        if task.done():
            if task.cancelled():
                # The caller's own task was not cancelled, so it must not get a CancelledError.
                raise RuntimeError("The work was cancelled from within")
            return task.result()
        abandon(task)
        assert self.reason is not None
        raise self.reason

    async def pause(self, seconds: float) -> None:
        """Raises the reason, if the signal is aborted before the time is over."""
        await self.race(asyncio.sleep(seconds))


async def within(seconds: float, work: Awaitable[Result]) -> Result:
    """The result of the work.

    Raises:
        TimeoutError: when the time is over; the work is then cancelled, and its end is not awaited
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait((task,), timeout=seconds)
    finally:
        if not task.done():
            abandon(task)
    if not task.done():
        raise TimeoutError
    return task.result()


def abandon(task: asyncio.Future[Result]) -> None:
    """Cancels a task without waiting for its end, and ignores its error."""
    task.cancel()
    _abandoned.add(task)
    task.add_done_callback(_forget)


def _forget(task: asyncio.Future[Result]) -> None:
    _abandoned.discard(task)
    if not task.cancelled():
        # asyncio logs an exception that is never retrieved.
        task.exception()
