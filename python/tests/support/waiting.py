"""Waits for conditions, never for a guessed time."""

import asyncio
from collections.abc import Callable
from typing import Any

#: Seconds. Longer than anything takes on a busy machine: what does not happen by then never does.
PATIENCE = 60.0


async def until(condition: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """The first true value of the condition."""
    async with asyncio.timeout(seconds):
        while not (value := condition()):
            await asyncio.sleep(0.005)
        return value
