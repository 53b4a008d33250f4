"""Runs coroutines for callers that block: scripts, views of Flask and Django, plain functions of frameworks.

One event loop in a thread of its own serves the whole process, so that connections stay open between calls, and a
caller inside of a running loop can block too. A forked child gets a loop of its own with its first call.
"""

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from typing import ParamSpec, TypeVar

from svc.worker_threads import WorkerThreads

Params = ParamSpec("Params")
Result = TypeVar("Result")


class _Process:
    """The event loop of this process, and threads for callbacks that block."""

    def __init__(self) -> None:
        self.threads = WorkerThreads()
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def loop(self) -> asyncio.AbstractEventLoop:
        # Frameworks make their first calls at the same time, in threads.
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_serve, args=(self._loop,), name="svc-blocking", daemon=True).start()
            return self._loop


_process = _Process()
#: The loops of the parents of a fork are kept: a collected loop closes its selector, which parent and child share.
_parents: list[_Process] = []


def run_blocking(coroutine: Coroutine[object, object, Result]) -> Result:
    """Waits for a coroutine in a plain function: ``run_blocking(toolkit.run())``. ``SyncTools`` does it for ``Tools``.

    Returns:
        The coroutine's value. An interrupt of the caller, such as Ctrl-C, cancels the coroutine.

    Raises:
        RuntimeError: inside of a coroutine that runs here already: the coroutine would wait for itself. Write ``await``
            there.
    """
    loop = _process.loop()
    if _running_loop() is loop:
        coroutine.close()
        raise RuntimeError("run_blocking would wait for itself here: write `await` instead")
    future = asyncio.run_coroutine_threadsafe(coroutine, loop)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


async def run_in_thread(function: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
    """Calls a function that may block, and may call ``run_blocking``, beside the loop."""
    return await _process.threads.run(function, *args, **kwargs)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    while True:
        try:
            loop.run_forever()
        except (KeyboardInterrupt, SystemExit):
            # A callback raised it. Its caller gets it too, and other callers need the loop.
            continue


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _start_anew() -> None:
    """Threads do not survive a fork."""
    global _process
    _parents.append(_process)
    _process = _Process()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
