"""Ends the work of a client when the client stops.

Errors: ClientStoppedError for work that the stop ended. A cancelled task stays cancelled.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress


class ClientStoppedError(Exception):
    """The client was stopped before or during the work."""


class Lifetime:
    """Ends all work of a client when it stops."""

    def __init__(self, client_id: str) -> None:
        self._client_id = client_id
        self._scopes: set[asyncio.Timeout] = set()
        self._background: set[asyncio.Task[None]] = set()
        self._left = asyncio.Event()
        self._is_over = False

    @asynccontextmanager
    async def scope(self) -> AsyncIterator[None]:
        """Work that the stop ends."""
        if self._is_over:
            raise self._stopped()
        try:
            # A timeout without a deadline can be expired from outside, and does not look like a cancelled task.
            async with asyncio.timeout(None) as scope:
                self._scopes.add(scope)
                try:
                    yield
                finally:
                    self._scopes.discard(scope)
                    self._left.set()
        except TimeoutError:
            if not scope.expired():
                raise
            raise self._stopped() from None

    def run_in_background(self, work: Coroutine[object, object, object]) -> None:
        """Starts background work, and ignores its errors."""
        task = asyncio.create_task(self._run_alone(work))
        # The event loop has weak references only.
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def end(self) -> None:
        """Ends the work, and returns when all of it has ended."""
        self._is_over = True
        for scope in self._scopes:
            if not scope.expired():
                scope.reschedule(0)
        while self._scopes:
            self._left.clear()
            await self._left.wait()
        for task in self._background:
            task.cancel()
        if self._background:
            await asyncio.wait(self._background)

    async def _run_alone(self, work: Coroutine[object, object, object]) -> None:
        with suppress(Exception):
            await work

    def _stopped(self) -> ClientStoppedError:
        return ClientStoppedError(f"{self._client_id} was stopped")
