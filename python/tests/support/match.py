"""The patterns of test/vectors/README.md: ``$any``, ``$string``, ``$number``, ``$x1000``, and names that bind."""

import json
import re
from collections.abc import Sequence
from typing import Any

Bindings = dict[str, Any]

_MISSING = object()
_PATTERN = re.compile(r'"\$(\w+)"')
#: A thousand times the letter x, for texts that are too long for a file.
_LONG_TEXT = re.compile(r"x(\d+)")
_DEFAULT_NUMBER = 10_000


def assert_match(actual: Any, expected: Any, bindings: Bindings, path: str = "") -> None:
    """Fails with the place of the difference. Objects may have more keys than expected."""
    if isinstance(expected, str) and expected.startswith("$"):
        _match_pattern(actual, expected[1:], bindings, path)
    elif isinstance(expected, dict):
        assert isinstance(actual, dict), f"{path}: {actual!r}"
        for name, member in expected.items():
            assert_match(actual.get(name, _MISSING), member, bindings, f"{path}/{name}")
    elif isinstance(expected, list):
        assert isinstance(actual, list), f"{path}: {actual!r}"
        assert len(actual) == len(expected), f"{path}: {actual!r}"
        for index, (each, wanted) in enumerate(zip(actual, expected, strict=True)):
            assert_match(each, wanted, bindings, f"{path}/{index}")
    else:
        # True equals 1 in Python.
        assert isinstance(actual, bool) == isinstance(expected, bool), f"{path}: {actual!r} instead of {expected!r}"
        assert actual == expected, f"{path}: {actual!r} instead of {expected!r}"


def assert_absent(actual: Any, pointers: Sequence[str], path: str = "") -> None:
    """Fails if a member exists. The pointers are JSON Pointers to members of objects."""
    for pointer in pointers:
        value = actual
        for name in pointer.split("/")[1:]:
            value = value.get(name, _MISSING) if isinstance(value, dict) else _MISSING
        assert value is _MISSING, f"{path}{pointer}: {value!r}"


def fill_in(value: Any, bindings: Bindings) -> Any:
    """The value to send, with bound names replaced by their values."""
    if isinstance(value, str):
        if value.startswith("$") and value[1:] in bindings:
            return bindings[value[1:]]
        if value.startswith("$") and (long := _LONG_TEXT.fullmatch(value[1:])):
            return "x" * int(long[1])
        return re.sub(r"\$(\w+)", lambda found: str(bindings.get(found[1], found[0])), value)
    if isinstance(value, list):
        return [fill_in(item, bindings) for item in value]
    if isinstance(value, dict):
        return {name: fill_in(member, bindings) for name, member in value.items()}
    return value


def fill_in_all(value: Any, bindings: Bindings) -> Any:
    """The value without patterns: a name without a value is bound to itself."""
    for name in _PATTERN.findall(json.dumps(value)):
        if not _LONG_TEXT.fullmatch(name):
            bindings.setdefault(name, _DEFAULT_NUMBER if name == "number" else name)
    return fill_in(value, bindings)


def _match_pattern(actual: Any, name: str, bindings: Bindings, path: str) -> None:
    assert actual is not _MISSING, f"{path} is missing"
    if long := _LONG_TEXT.fullmatch(name):
        # Limits the length of a failure's message.
        is_long_text = actual == "x" * int(long[1])
        assert is_long_text, f"{path}: {str(actual)[:99]}… instead of {name}"
    elif name == "string":
        assert isinstance(actual, str), f"{path}: {actual!r}"
    elif name == "number":
        assert isinstance(actual, int | float), f"{path}: {actual!r}"
        assert not isinstance(actual, bool), f"{path}: {actual!r}"
    elif name != "any":
        assert actual == bindings.setdefault(name, actual), f"{path}: {actual!r} instead of {bindings[name]!r}"
