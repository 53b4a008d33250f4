"""Background tasks, awaited only when the agent ends."""

import asyncio
from collections.abc import Coroutine

from svc.agent.abort_signal import abandon


class Background:
    """Holds the tasks: the event loop keeps only weak references."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[None, None, None]) -> None:
        """Runs work that reports its own errors."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def end(self) -> None:
        for task in list(self._tasks):
            abandon(task)
