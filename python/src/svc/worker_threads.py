"""Threads for functions that block, such as handlers and callbacks. The event loop continues, with its heartbeats.

Not ``asyncio.to_thread``: its number of threads depends on the cores, and a program waits for them at its end, also for
a handler that ``stop()`` abandoned.
"""

import asyncio
import contextvars
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

Params = ParamSpec("Params")
Result = TypeVar("Result")

#: Seconds until an idle thread ends.
_IDLE_TIME = 10.0


class WorkerThreads:
    """As many threads as concurrent calls; an idle thread runs the next call."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        #: Idle threads without a queued job.
        self._free = 0

    async def run(self, function: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Runs the function in a thread with the context variables of this task, and returns its value."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()
        context = contextvars.copy_context()

        def settle(value: Any, error: BaseException | None) -> None:
            if not done.done():
                done.set_result((value, error))

        def job() -> None:
            value, error = None, None
            try:
                value = context.run(function, *args, **kwargs)
            except BaseException as raised:
                error = raised
            # The loop may have ended, and with it the waiting task.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(settle, value, error)

        self._start(job)
        value, error = await done
        if error is not None:
            raise error
        returned: Result = value
        return returned

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
                    # No thread is idle: a job for this thread follows.
                    if self._free > 0:
                        self._free -= 1
                        return
                continue
            job()
            del job
            with self._lock:
                self._free += 1
