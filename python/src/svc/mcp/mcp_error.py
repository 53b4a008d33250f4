"""Errors of the protocol: a request that the server cannot answer. A failed call is a result, not such an error.

Source: JSON-RPC 2.0, section 5.1; MCP 2026-07-28, "Versioning".
"""

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNSUPPORTED_PROTOCOL_VERSION = -32022


class McpError(Exception):
    """The ``error`` of a JSON-RPC answer."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def to_json(self) -> dict[str, object]:
        body = {"code": self.code, "message": self.message}
        return body if self.data is None else {**body, "data": self.data}
