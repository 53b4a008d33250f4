"""Functions of the program may be plain or asynchronous."""

import inspect
from collections.abc import Awaitable, Callable
from typing import TypeVar

Value = TypeVar("Value")


async def resolve_value(function: Callable[[], Value | Awaitable[Value]]) -> Value:
    """Calls it, and waits for its value."""
    value = function()
    return await value if inspect.isawaitable(value) else value
