"""Results that read as JSON where smolagents prints them, in place of Python's notation."""

from svc.protocol.json_text import to_json


class PrintableObject(dict[str, object]):
    """An object."""

    def __str__(self) -> str:
        return to_json(self)


class PrintableList(list[object]):
    """A list."""

    def __str__(self) -> str:
        return to_json(self)


def printable(value: object) -> object:
    """The value, and the objects and lists inside it."""
    if isinstance(value, dict):
        return PrintableObject({name: printable(member) for name, member in value.items()})
    if isinstance(value, list):
        return PrintableList(map(printable, value))
    return value
