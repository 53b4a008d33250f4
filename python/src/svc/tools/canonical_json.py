"""Writes equal values as equal JSON texts, independent of the order of keys and of the language.

Shape: compact JSON as ECMAScript writes it, keys in the order of their UTF-16 code units.
Source: RFC 8785; ECMA-262, Number::toString and JSON.stringify. The TypeScript SDK makes the same text.
"""

import json
import math
from typing import Any

from svc.protocol.json_text import escape_surrogates


def to_canonical_json(value: Any) -> str:
    """The canonical text of a value that JSON can hold."""
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_quoted(name)}:{to_canonical_json(member)}" for name, member in members) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(to_canonical_json, value)) + "]"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return _number(value)


def _quoted(text: str) -> str:
    return escape_surrogates(json.dumps(text, ensure_ascii=False))


def _number(value: float) -> str:
    """A number of ECMAScript is a double."""
    try:
        number = float(value)
    except OverflowError:
        return "null"
    if not math.isfinite(number):
        return "null"
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    digits, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = digits.partition(".")
    point = len(whole) + int(exponent or 0)
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    return sign + _placed(digits, point)


def _placed(digits: str, point: int) -> str:
    """Places the decimal point after the first ``point`` digits, like Number::toString."""
    if len(digits) <= point <= 21:
        return digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    mantissa = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "")
    return f"{mantissa}e{point - 1:+d}"
