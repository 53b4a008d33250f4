"""Threads for handlers that block. The event loop goes on, and with it the heartbeats.

Not ``asyncio.to_thread``: its threads are as few as the cores allow, and a program waits for them at its end, also for
a handler that ``stop()`` gave up.
"""

import asyncio
import contextvars
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

#: Seconds that a thread without work stays.
_IDLE_TIME = 10.0


class WorkerThreads:
    """As many threads as there are calls at a time; a thread that is free takes the next call."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        #: Threads that wait for work which nobody has put into the queue yet.
        self._free = 0

    async def run(self, function: Callable[..., Any], *args: Any) -> Any:
        """The function's value, from a thread with the context variables of this task."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()
        context = contextvars.copy_context()

        def settle(value: Any, error: BaseException | None) -> None:
            if not done.done():
                done.set_result((value, error))

        def job() -> None:
            value, error = None, None
            try:
                value = context.run(function, *args)
            except BaseException as raised:
                error = raised
            # The loop may have ended: nobody waits then.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(settle, value, error)

        self._start(job)
        value, error = await done
        if error is not None:
            raise error
        return value

    def _start(self, job: Callable[[], None]) -> None:
        with self._lock:
            if self._free > 0:
                self._free -= 1
            else:
                threading.Thread(target=self._work, name="svc-handler", daemon=True).start()
        self._jobs.put(job)

    def _work(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=_IDLE_TIME)
            except queue.Empty:
                with self._lock:
                    # None is free: a job for this thread is on its way.
                    if self._free > 0:
                        self._free -= 1
                        return
                continue
            job()
            del job
            with self._lock:
                self._free += 1
