"""Runs coroutines for callers that block: scripts, views of Flask and Django, plain functions of frameworks.

One event loop in a thread of its own serves the whole process, so that connections stay open between calls, and a
caller inside of a running loop can block too.
"""

import asyncio
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

Result = TypeVar("Result")

_THREAD = "svc-blocking"
_lock = threading.Lock()


def run_blocking(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Waits for a coroutine in a plain function: ``run_blocking(tools.invoke("weather__today"))``.

    Returns:
        The coroutine's value. An interrupt of the caller, such as Ctrl-C, cancels the coroutine.

    Raises:
        RuntimeError: inside of a coroutine that runs here already: the coroutine would wait for itself. Write ``await``
            there.
    """
    if threading.current_thread().name == _THREAD:
        coroutine.close()
        raise RuntimeError("run_blocking would wait for itself here: write `await` instead")
    future = asyncio.run_coroutine_threadsafe(coroutine, _loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def _loop() -> asyncio.AbstractEventLoop:
    # Frameworks make their first calls at the same time, in threads.
    with _lock:
        return _started()


@cache
def _started() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name=_THREAD, daemon=True).start()
    return loop
