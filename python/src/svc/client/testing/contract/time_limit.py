"""Time limits in seconds, long enough for a busy machine."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

Result = TypeVar("Result")

#: The limit for a message, a start or a reply, also after a fault.
ANSWER_TIME = 15.0
#: The agent's limit for ``stop()``.
STOP_TIME = 5.0


async def in_time(work: Awaitable[Result], limit: float, problem: str) -> Result:
    """The result of the work.

    Args:
        work: of the client
        limit: seconds
        problem: of a client that does not end in time

    Raises:
        AssertionError: when the time is over
    """
    try:
        async with asyncio.timeout(limit) as deadline:
            return await work
    except TimeoutError:
        if not deadline.expired():
            raise
    raise AssertionError(f"{problem} in {limit:g} s")
