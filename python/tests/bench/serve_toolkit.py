"""Serves a toolkit as a process of a bench."""

import asyncio
import signal
from collections.abc import Callable

from svc import Toolkit

#: More than the concurrent calls of any bench, so that the service never queues.
_CONCURRENCY = 1_000


def serve_toolkit(define: Callable[[Toolkit], None], *, connections: int = 1) -> None:
    """Serves the actions that ``define`` adds until SIGTERM; prints ``ready`` when all connections are registered.

    Reads the service and the key from the environment, as ``serveToolkit`` of bench/svc/sdk.ts does.
    """
    asyncio.run(_serve([_toolkit(define) for _ in range(connections)]))


def _toolkit(define: Callable[[Toolkit], None]) -> Toolkit:
    toolkit = Toolkit(concurrency=_CONCURRENCY)
    define(toolkit)
    return toolkit


async def _serve(toolkits: list[Toolkit]) -> None:
    stopping: list[asyncio.Future[None]] = []
    asyncio.get_running_loop().add_signal_handler(
        signal.SIGTERM, lambda: stopping.extend(asyncio.ensure_future(toolkit.stop()) for toolkit in toolkits)
    )
    running = [asyncio.create_task(toolkit.run()) for toolkit in toolkits]
    for toolkit in toolkits:
        await toolkit.ready()
    print("ready", flush=True)
    await asyncio.gather(*running)
    await asyncio.gather(*stopping)
