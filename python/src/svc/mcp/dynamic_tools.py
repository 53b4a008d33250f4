"""The two tools for MCP clients: beside their definitions a title for people, the shape of the answers, and
annotations.

Shape: every property is optional, because official clients check the ``structuredContent`` of an error too.
"""

from collections.abc import Mapping
from typing import Any

from svc.tools.definitions import INVOKE_TOOL, SEARCH_TOOL
from svc.tools.tool_answer import ToolAnswer

_TEXT = {"type": "string"}
_ERROR = {
    "type": "object",
    "properties": {"code": _TEXT, "message": _TEXT, "retryable": {"type": "boolean"}},
    "required": ["code", "message", "retryable"],
    "description": "In place of everything else when the call failed",
}
_PAYMENT = {
    "type": "object",
    "properties": {"amount": _TEXT, "currency": _TEXT},
    "required": ["amount", "currency"],
}

DYNAMIC_TOOLS: Mapping[str, dict[str, Any]] = {
    SEARCH_TOOL: {
        "title": "Find actions",
        "outputSchema": {
            "type": "object",
            "properties": {
                "actions": {
                    "type": "array",
                    "description": "The best actions in full, best first",
                    "items": {
                        "type": "object",
                        "properties": {
                            "action": _TEXT,
                            "description": _TEXT,
                            "payloadSchema": {"type": "object"},
                            "annotations": {"type": "object"},
                            "payment": _PAYMENT,
                            "shortened": {"type": "boolean"},
                        },
                        "required": ["action", "description", "payloadSchema"],
                    },
                },
                "more": {
                    "type": "array",
                    "description": "Further actions by name",
                    "items": {
                        "type": "object",
                        "properties": {"action": _TEXT, "description": _TEXT, "mentionedBy": _TEXT},
                        "required": ["action"],
                    },
                },
                "offline": {"type": "array", "items": _TEXT},
                "hint": _TEXT,
                "error": _ERROR,
            },
        },
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    },
    INVOKE_TOOL: {
        "title": "Run an action",
        "outputSchema": {
            "type": "object",
            "properties": {
                "result": {"description": "The result of the action, any JSON"},
                "note": {"type": "string", "description": "Repairs of the payload, and a cut of the result"},
                "content": {
                    "type": "array",
                    "items": _TEXT,
                    "description": "Words for the images, files and texts beside the result",
                },
                "error": _ERROR,
            },
        },
        # This tool can run any action.
        "annotations": {
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": False,
            "openWorldHint": True,
        },
    },
}


def structured_answer(tool: str, answer: ToolAnswer) -> dict[str, Any]:
    """The answer in the shape of its tool."""
    value = answer.value
    if isinstance(value, dict) and (answer.error or tool == SEARCH_TOOL):
        return value
    # The value has the result as a member if there is a note or content beside it. If that is too long, it is the
    # beginning of the text.
    if isinstance(value, dict) and answer.result is not value:
        return value
    return {"result": value if answer.result is None else answer.result}
