"""The tools of every action for MCP clients: beside their definitions a title for people, annotations, and the shape of
a search's answer.

Shape: every property is optional, because official clients check the ``structuredContent`` of an error too.
"""

from collections.abc import Mapping

from svc.tools.definitions import INVOKE_TOOL, RUN_CODE_TOOL, SEARCH_TOOL

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

DYNAMIC_TOOLS: Mapping[str, dict[str, object]] = {
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
        # No ``outputSchema``: clients then need ``structuredContent`` beside images, and some show a model only that.
        # This tool can run any action.
        "annotations": {
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": False,
            "openWorldHint": True,
        },
    },
    RUN_CODE_TOOL: {
        "title": "Run a program",
        "annotations": {
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": False,
            "openWorldHint": True,
        },
    },
}
