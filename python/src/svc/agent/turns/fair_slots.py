"""A semaphore with round-robin between keys, first come, first served within a key. One key never gets the last slot,
so that a chat with many slow calls leaves room for the others.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

from svc.agent.abort_signal import AbortSignal


class FairSlots:
    """``async with slots.take(key, signal):`` runs the block in one of ``limit`` slots."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._limit_of_key = max(1, limit - 1)
        self._running = Counter[Hashable]()
        # The waiting keys; the first key is served next.
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def take(self, key: Hashable, signal: AbortSignal) -> AsyncIterator[None]:
        """Raises the reason of the signal, if it is aborted before the block begins."""
        signal.raise_if_aborted()
        if self._is_free(key):
            self._running[key] += 1
        else:
            await self._wait(key, signal)
        try:
            yield
        finally:
            self._give_back(key)

    def _is_free(self, key: Hashable) -> bool:
        return self._running.total() < self._limit and self._running[key] < self._limit_of_key

    async def _wait(self, key: Hashable, signal: AbortSignal) -> None:
        """Returns after the slot is counted."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue = self._waiting.setdefault(key, deque())
        queue.append(turn)
        try:
            await signal.race(turn)
        except BaseException:
            if turn in queue:
                queue.remove(turn)
                if not queue:
                    self._waiting.pop(key, None)
            else:
                # The slot was granted at the same moment.
                self._give_back(key)
            raise

    def _give_back(self, key: Hashable) -> None:
        self._running[key] -= 1
        if self._running[key] == 0:
            del self._running[key]
        following = next(filter(self._is_free, self._waiting), None)
        if following is None:
            return
        # Moves the key to the end of the queue.
        queue = self._waiting.pop(following)
        turn = queue.popleft()
        if queue:
            self._waiting[following] = queue
        self._running[following] += 1
        turn.set_result(None)
