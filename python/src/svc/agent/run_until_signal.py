"""Runs a coroutine in a new event loop until it ends, or until SIGINT or SIGTERM."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
#: Seconds for tasks that still run at the end. ``asyncio.run`` would wait without end for a task that ignores its
#: cancellation.
_LAST_TASKS_WITHIN = 1.0


def run_until_signal(main: Coroutine[object, object, None], on_signal: Callable[[], None]) -> None:
    """Runs ``main`` to its end.

    Args:
        main: the program
        on_signal: called in the event loop at the first signal; the second one ends the process at once
    """
    loop = asyncio.new_event_loop()
    try:
        with _signals_to(loop, on_signal):
            loop.run_until_complete(main)
    finally:
        loop.run_until_complete(_end_tasks())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _end_tasks() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=_LAST_TASKS_WITHIN)


@contextmanager
def _signals_to(loop: asyncio.AbstractEventLoop, on_signal: Callable[[], None]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    is_ending = False

    def handle(_number: int, _frame: object) -> None:
        nonlocal is_ending
        if is_ending:
            # Not `sys.exit`, which waits for tasks that hang.
            os._exit(1)
        is_ending = True
        loop.call_soon_threadsafe(on_signal)

    # Not `add_signal_handler`, which Windows does not have.
    before = {name: signal.signal(name, handle) for name in _SIGNALS}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
