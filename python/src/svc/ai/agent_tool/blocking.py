"""Runs coroutines for callers that block: plain functions of frameworks.

One event loop in a thread of its own serves the whole process, so that connections stay open between calls, and a
caller inside of a running loop can block too.
"""

import asyncio
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

Result = TypeVar("Result")

_lock = threading.Lock()


def run_blocking(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """The coroutine's value. An interrupt of the caller, such as Ctrl-C, cancels the coroutine."""
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
    threading.Thread(target=loop.run_forever, name="svc-ai", daemon=True).start()
    return loop
