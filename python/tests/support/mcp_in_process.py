"""The MCP server in this process, with a client that sends JSON-RPC to it."""

import asyncio
import json
from typing import Any

from svc.mcp.connection import Connection
from svc.mcp.environment import ToolSelection
from svc.mcp.tool_server import ToolServer
from svc.tools.tools import Tools
from tests.support.mcp_process import STATELESS
from tests.support.waiting import PATIENCE, until

_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"


class McpInProcess:
    """One client."""

    def __init__(
        self, tools: Tools, capabilities: dict[str, Any] | None = None, selection: ToolSelection | None = None
    ) -> None:
        """
        Args:
            tools: of the server.
            capabilities: of a client of revision 2026-07-28. None: a client with a handshake.
            selection: the offered tools.
        """
        self._meta = None if capabilities is None else {**STATELESS, _CAPABILITIES: capabilities}
        self._sent: list[dict[str, Any]] = []
        self._ids = 0
        self._connection = Connection(ToolServer(tools, selection or ToolSelection()), self._sent.append)

    async def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The whole answer."""
        self._ids += 1
        meta = {} if self._meta is None else {"_meta": self._meta}
        request = {"jsonrpc": "2.0", "id": self._ids, "method": method, "params": {**meta, **params}}
        self._connection.receive(json.dumps(request).encode())
        async with asyncio.timeout(PATIENCE):
            found = await until(lambda: [each for each in self._sent if each.get("id") == request["id"]])
        answer: dict[str, Any] = found[0]
        return answer
