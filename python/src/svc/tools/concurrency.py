"""Runs a function over a list with limited concurrency."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


async def map_concurrent(
    items: Sequence[Item], limit: int, function: Callable[[Item, int], Awaitable[Result]]
) -> list[Result]:
    """The results in the order of the items. After a failure the rest is cancelled, and the failure is raised."""
    semaphore = asyncio.Semaphore(limit)

    async def run(item: Item, index: int) -> Result:
        async with semaphore:
            return await function(item, index)

    tasks = [asyncio.ensure_future(run(item, index)) for index, item in enumerate(items)]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
