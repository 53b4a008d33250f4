"""A value that is set once. Unlike a Future it can be created before an event loop exists."""

import asyncio
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Deferred(Generic[Value]):
    """Any number of tasks can wait for the value or the error."""

    def __init__(self) -> None:
        self._is_set = asyncio.Event()
        self._value: tuple[Value] | BaseException | None = None

    def set(self, value: Value) -> None:
        """The first value or error counts."""
        self._settle((value,))

    def fail(self, error: BaseException) -> None:
        self._settle(error)

    async def wait(self) -> Value:
        await self._is_set.wait()
        if isinstance(self._value, tuple):
            return self._value[0]
        assert self._value is not None
        raise self._value

    def _settle(self, value: tuple[Value] | BaseException) -> None:
        if self._value is None:
            self._value = value
            self._is_set.set()
