"""Callbacks of the caller: plain functions or coroutine functions."""

import inspect
from collections.abc import Awaitable, Callable


async def call_back(callback: Callable[..., Awaitable[None] | None] | None, *args: object) -> None:
    """Calls the callback, and awaits its result if it is asynchronous."""
    if callback is None:
        return
    returned = callback(*args)
    if inspect.isawaitable(returned):
        await returned
