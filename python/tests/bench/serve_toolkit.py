"""Serves a toolkit as a process of a bench."""

import asyncio
import signal
from collections.abc import Callable

from svc import Toolkit

#: More than any bench has in flight, so that the service never queues.
_CONCURRENCY = 1_000


def serve_toolkit(define: Callable[[Toolkit], None]) -> None:
    """Serves what ``define`` adds until SIGTERM; prints ``ready`` when it is registered.

    Takes service and key from the environment, as ``serveToolkit`` of bench/svc/sdk.ts does.
    """
    asyncio.run(_serve(define))


async def _serve(define: Callable[[Toolkit], None]) -> None:
    toolkit = Toolkit(concurrency=_CONCURRENCY)
    define(toolkit)
    stopping: list[asyncio.Future[None]] = []
    asyncio.get_running_loop().add_signal_handler(
        signal.SIGTERM, lambda: stopping.append(asyncio.ensure_future(toolkit.stop()))
    )
    running = asyncio.create_task(toolkit.run())
    await toolkit.ready()
    print("ready", flush=True)
    await running
    await asyncio.gather(*stopping)
