"""Waits for conditions, never for a guessed time."""

import asyncio
from collections.abc import Callable
from typing import Any

#: Seconds. Longer than any operation on a busy machine.
PATIENCE = 60.0


async def until(condition: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """The first true value of the condition."""
    async with asyncio.timeout(seconds):
        while not (value := condition()):
            await asyncio.sleep(0.005)
        return value
