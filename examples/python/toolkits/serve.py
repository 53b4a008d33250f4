"""The end of each toolkit here: serves until a signal."""

import asyncio
import math
import signal
import sys

from svc import SvcError, Toolkit
from svc.toolkit import Disconnected, ToolkitStatus


def report_loss(status: ToolkitStatus) -> None:
    """Handles ``on_status``: the toolkit reconnects by itself, but its operator wants to know why nothing happens."""
    if isinstance(status, Disconnected):
        print(f"{status.reason}. Next try in {math.ceil(status.retry_in)} s", file=sys.stderr)


def serve(toolkit: Toolkit, *, name: str, description: str) -> None:
    """Serves until SIGINT or SIGTERM; running actions may end. Prints one line when the toolkit is ready."""
    try:
        asyncio.run(_serve(toolkit, name, description))
    except SvcError as error:
        sys.exit(f"{name} cannot be served: {error}")


async def _serve(toolkit: Toolkit, name: str, description: str) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, lambda: loop.create_task(toolkit.stop()))
    await toolkit.update_toolkit(name, description)
    running = asyncio.create_task(toolkit.run())
    await asyncio.wait({running, asyncio.create_task(toolkit.ready())}, return_when=asyncio.FIRST_COMPLETED)
    if not running.done():
        print(f"{name} is ready with {len((await toolkit.ready()).accepted)} actions", flush=True)
    await running
