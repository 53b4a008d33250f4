"""JSON texts of the wire: compact, in UTF-8, for every text that Python can hold."""

import json
import re
from typing import Any

from svc.protocol.number_digits import exact_number, may_have_large_numbers

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def to_json(value: object) -> str:
    """Compact JSON.

    Raises:
        TypeError, ValueError, RecursionError: for a value that JSON cannot hold.
    """
    return escape_surrogates(_encode(value))


def escape_surrogates(text: str) -> str:
    """The same JSON in valid UTF-8: a lone surrogate becomes an escape."""
    if text.isascii():
        return text
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def from_json(text: str | bytes) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: for a text that is not JSON, also for one that is nested too deep and for ``NaN``.
    """
    try:
        if isinstance(text, bytes):
            return json.loads(text, parse_constant=_refuse_constant)
        return _decode(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def from_exact_json(text: str | bytes) -> Any:
    """The value of a JSON text, as ``from_json``, with all digits of its numbers.

    A whole number is an ``int``; any other number that would lose digits beyond 2^53 is a text.
    """
    if isinstance(text, bytes):
        text = text.decode()
    if not may_have_large_numbers(text):
        return from_json(text)
    whole, other = exact_number(int), exact_number(float)
    try:
        return json.loads(text, parse_int=whole, parse_float=other, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


# `json.dumps` and `json.loads` with options make a new encoder or decoder for each text.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_decode = json.JSONDecoder(parse_constant=_refuse_constant).decode


def quoted(text: object) -> str:
    """A text in quotes, for messages."""
    return json.dumps(str(text), ensure_ascii=False)
