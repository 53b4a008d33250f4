"""Results that read as JSON where smolagents prints them, in place of Python's notation."""

from typing import Any

from svc.protocol.json_text import to_json


class PrintableObject(dict[str, Any]):
    """An object."""

    def __str__(self) -> str:
        return to_json(self)


class PrintableList(list[Any]):
    """A list."""

    def __str__(self) -> str:
        return to_json(self)


def printable(value: object) -> Any:
    """The value, and the objects and lists inside it."""
    if isinstance(value, dict):
        return PrintableObject({name: printable(member) for name, member in value.items()})
    if isinstance(value, list):
        return PrintableList(map(printable, value))
    return value
