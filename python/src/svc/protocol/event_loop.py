"""The event loop that the SDK runs on."""

import asyncio

from svc.errors import SvcError


def require_asyncio() -> None:
    """Trio and curio run coroutines too, up to the first wait, which would fail with a misleading error.

    Raises:
        SvcError: INVALID_REQUEST if no event loop of asyncio runs.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise SvcError(
            "INVALID_REQUEST",
            "svc-sdk runs on asyncio alone, and no event loop of asyncio runs here: start with asyncio.run(…). "
            "Under trio, call it in a thread: `await trio.to_thread.run_sync(lambda: run_blocking(tools.search(…)))`, "
            "with `from svc import run_blocking`",
        ) from None
