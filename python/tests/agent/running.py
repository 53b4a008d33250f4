"""Agents that run during a test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from svc.agent import Agent


@asynccontextmanager
async def serving(agent: Agent) -> AsyncIterator["asyncio.Task[None]"]:
    """Runs ``serve()`` as a task. At the end the agent is stopped, and its error is raised."""
    task = asyncio.create_task(agent.serve())
    try:
        # The run starts with the task.
        await asyncio.sleep(0)
        yield task
    finally:
        await agent.stop()
    await task
