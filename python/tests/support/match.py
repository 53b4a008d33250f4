"""The patterns of test/vectors/README.md: ``$any``, ``$string``, ``$number``, and names that bind."""

import re
from typing import Any

Bindings = dict[str, Any]

_MISSING = object()


def assert_match(actual: Any, expected: Any, bindings: Bindings, path: str = "") -> None:
    """Fails with the place where the two differ. Objects may have more keys than expected."""
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
        assert actual == expected, f"{path}: {actual!r} instead of {expected!r}"


def fill_in(value: Any, bindings: Bindings) -> Any:
    """The value to send: bound names become their values."""
    if isinstance(value, str):
        if value.startswith("$") and value[1:] in bindings:
            return bindings[value[1:]]
        return re.sub(r"\$(\w+)", lambda found: str(bindings.get(found[1], found[0])), value)
    if isinstance(value, list):
        return [fill_in(item, bindings) for item in value]
    if isinstance(value, dict):
        return {name: fill_in(member, bindings) for name, member in value.items()}
    return value


def _match_pattern(actual: Any, name: str, bindings: Bindings, path: str) -> None:
    assert actual is not _MISSING, f"{path} is missing"
    if name == "string":
        assert isinstance(actual, str), f"{path}: {actual!r}"
    elif name == "number":
        assert isinstance(actual, int | float), f"{path}: {actual!r}"
    elif name != "any":
        assert actual == bindings.setdefault(name, actual), f"{path}: {actual!r} instead of {bindings[name]!r}"
