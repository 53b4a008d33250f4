"""Reads one line of a client.

Errors: ValueError for a line that is not a message of MCP, also for a batch, which only revision 2025-03-26 has.
Source: JSON-RPC 2.0, section 4; MCP, "Base Protocol": an id is a text or a whole number.
"""

import re
from dataclasses import dataclass
from typing import Any

from svc.protocol.json_text import from_json

RequestId = int | str

#: Member of ``_meta``: the model's id of a call, from Claude Code and the Claude Agent SDK.
_TOOL_USE_ID = "claudecode/toolUseId"
_TOOL_USE_ID_FORMAT = re.compile(r"toolu_\w{20,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ClientMessage:
    """A request, or a notification, which has no id."""

    method: str
    params: dict[str, Any]
    id: RequestId | None = None

    @property
    def meta(self) -> dict[str, object]:
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}

    @property
    def tool_call_id(self) -> str:
        """The model's id of the call if the client sends it, else the id of the request."""
        given = self.meta.get(_TOOL_USE_ID)
        return given if isinstance(given, str) and _TOOL_USE_ID_FORMAT.fullmatch(given) else str(self.id)


@dataclass(frozen=True, slots=True)
class ClientAnswer:
    """The answer to a request of this server."""

    id: object
    #: None for an error.
    result: dict[str, object] | None


def read_message(line: bytes) -> ClientMessage | ClientAnswer:
    frame = from_json(line)
    if not isinstance(frame, dict) or frame.get("jsonrpc") != "2.0":
        raise ValueError("it is not JSON-RPC 2.0")
    if "id" in frame and not is_request_id(frame["id"]):
        raise ValueError("its id is not a text or a whole number")
    if "method" not in frame and ("result" in frame or "error" in frame):
        result = frame.get("result")
        return ClientAnswer(frame.get("id"), result if isinstance(result, dict) else None)
    method, params = frame.get("method"), frame.get("params", {})
    if not isinstance(method, str) or not isinstance(params, dict):
        raise ValueError("it has no method, or params that are not an object")
    return ClientMessage(method, params, frame.get("id"))


def is_request_id(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)
