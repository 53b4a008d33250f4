"""The newest entries of a stream that has no end, up to twice ``limit`` in weight.

Two generations, because repeated removal of the oldest entry of a large dictionary is slow.
"""

from collections.abc import Mapping
from typing import Generic, TypeVar

Value = TypeVar("Value")


class GenerationalCache(Generic[Value]):
    """Entries by key."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._young: dict[str, Value] = {}
        self._old: Mapping[str, Value] = {}
        self._weight = 0

    def add(self, key: str, value: Value, weight: int) -> None:
        self._young[key] = value
        self._weight += weight
        if self._weight >= self._limit:
            self._old, self._young, self._weight = self._young, {}, 0

    def get(self, key: str) -> Value | None:
        return self._young.get(key, self._old.get(key))
