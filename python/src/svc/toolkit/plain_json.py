"""Turns any return value of a handler into JSON text.

Shape: like ``json.dumps``, and in addition: pydantic models, dataclasses and named tuples -> objects; sets and other
    iterables -> arrays; enums -> their values; dates, UUIDs, decimals and paths -> texts; bytes -> base64; exceptions
    -> ``{name, message}``; NaN and infinities -> null; in a value that refers to itself, a repeated object ->
    ``[Circular]``.
Errors: ActionError INVALID_RESULT for a value of another kind, or with more than 300 levels.
"""

import base64
import dataclasses
import datetime
import decimal
import enum
import json
import math
import os
import uuid
from collections.abc import Iterable, Mapping

from svc.protocol.json_text import to_json
from svc.toolkit.action_error import ActionError
from svc.toolkit.attachment import Attachment

#: Python's recursion limit is about a thousand calls, and each level takes two.
_MAX_DEPTH = 300


def to_json_text(value: object) -> str:
    """The compact JSON of a value."""
    try:
        return to_json(value)
    except (TypeError, ValueError, RecursionError):
        # Most results are plain and need no copy.
        return to_json(_plain_or_circular(value))


def _plain_or_circular(value: object) -> object:
    """Cycles are detected only at a depth that makes a cycle likely."""
    try:
        return _Plain().of(value, 0)
    except _TooDeepError:
        pass
    try:
        return _Plain(written={}).of(value, 0)
    except _TooDeepError:
        message = f"The result is nested deeper than {_MAX_DEPTH} levels; return a flatter one"
        raise ActionError("INVALID_RESULT", message) from None


class _TooDeepError(Exception):
    pass


class _Plain:
    """Plain copies of values."""

    def __init__(self, written: dict[int, object] | None = None) -> None:
        #: The written objects by identity, while cycles are detected. Each object is written once, because a cyclic
        #: graph has endless paths.
        self._written = written

    def of(self, value: object, depth: int) -> object:
        if isinstance(value, enum.Enum):
            return self.of(value.value, depth)
        if value is None or isinstance(value, str | int):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else None
        if depth > _MAX_DEPTH:
            raise _TooDeepError
        if self._written is not None:
            if id(value) in self._written:
                return "[Circular]"
            self._written[id(value)] = value
        if isinstance(value, Mapping):
            return {_name(name): self.of(member, depth + 1) for name, member in value.items()}
        if isinstance(value, list | tuple | set | frozenset) and not hasattr(value, "_asdict"):
            return [self.of(item, depth + 1) for item in value]
        return self.of(_stand_in(value), depth + 1)


def _name(name: object) -> str:
    if isinstance(name, enum.Enum):
        return _name(name.value)
    if name is None or isinstance(name, bool | int | float | str):
        return name if isinstance(name, str) else json.dumps(name)
    return str(name)


def _stand_in(value: object) -> object:
    """The replacement of a special object."""
    if isinstance(value, Attachment | decimal.Decimal | uuid.UUID):
        return str(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(value).decode()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, BaseException):
        return {"name": type(value).__name__, "message": str(value)}
    return _of_object(value)


def _of_object(value: object) -> object:
    try:
        if callable(dump := getattr(value, "model_dump", None)):  # pydantic
            return dump(mode="json")
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        if callable(as_dict := getattr(value, "_asdict", None)):  # named tuples
            return as_dict()
        if callable(to_list := getattr(value, "tolist", None)):  # numpy
            return to_list()
        if isinstance(value, Iterable) and not isinstance(value, type):
            return list(value)
    except Exception as error:
        raise ActionError("INVALID_RESULT", f"The result cannot be written as JSON: {error}") from error
    raise ActionError(
        "INVALID_RESULT",
        f"A result is JSON, and {type(value).__name__} is not: return dictionaries, lists, texts and numbers, "
        "a dataclass or a pydantic model",
    )
