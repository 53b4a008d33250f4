"""Toolkits that run during a test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from svc import SvcError, Toolkit


@asynccontextmanager
async def running(toolkit: Toolkit) -> AsyncIterator["asyncio.Task[None]"]:
    """Runs ``run()`` as a task, cancelled at the end."""
    task = asyncio.create_task(toolkit.run())
    try:
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, SvcError):
            await task


@asynccontextmanager
async def serving(toolkit: Toolkit) -> AsyncIterator["asyncio.Task[None]"]:
    """A toolkit that is registered."""
    async with running(toolkit) as task:
        await toolkit.ready()
        yield task
