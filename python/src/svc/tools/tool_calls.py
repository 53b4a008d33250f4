"""Reads a model's tool calls: dictionaries, or the objects of openai, litellm and pydantic.

Errors: INVALID_REQUEST for a value that is not a list of tool calls. A malformed call is not an error: it is answered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from svc.errors import SvcError


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's request to use a tool."""

    id: str
    name: str
    arguments: object
    #: A program of the model's provider made the call: its answer is JSON for code.
    made_by: Literal["program"] | None = None
    #: The most seconds that the call may take. The lower limit counts, of this and of the client's.
    longest: float | None = None


def read_tool_calls(tool_calls: object) -> list[ToolCall]:
    """The calls of ``message.tool_calls``; none for ``None``."""
    if tool_calls is None:
        return []
    if not isinstance(tool_calls, Sequence) or isinstance(tool_calls, str | bytes):
        raise SvcError("INVALID_REQUEST", "call_tools takes the list `message.tool_calls`, not the message")
    return [_read_tool_call(tool_call) for tool_call in tool_calls]


def _read_tool_call(tool_call: object) -> ToolCall:
    """A call whose type is not ``function`` gets its type as name, which no tool has. Some servers omit the type."""
    function = _member(tool_call, "function")
    name = _member(function, "name")
    if name is None:
        name = _member(tool_call, "type")
    return ToolCall(_text(_member(tool_call, "id")), _text(name), _member(function, "arguments"))


def _member(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _text(value: object) -> str:
    return "" if value is None else str(value)
