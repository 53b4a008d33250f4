"""Waits for conditions, never for a guessed time."""

import asyncio
from collections.abc import Callable
from typing import Any


async def until(condition: Callable[[], Any], seconds: float = 10) -> Any:
    """The first true value of the condition."""
    async with asyncio.timeout(seconds):
        while not (value := condition()):
            await asyncio.sleep(0.005)
        return value
