"""``svc-tools-mcp`` as a process, with a client that sends JSON-RPC, or any other text, line by line."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.support.repository import NODE, REPOSITORY
from tests.support.waiting import PATIENCE, until

#: The installed command, run by the Python of the tests.
MCP_COMMAND = (sys.executable, str(Path(sys.executable).parent / "svc-tools-mcp"))
#: The built command of TypeScript.
TYPESCRIPT_MCP_COMMAND = (NODE, str(REPOSITORY / "dist" / "svc-tools-mcp.js"))

#: ``_meta`` of a request of 2026-07-28.
STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
_HANDSHAKE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}


class McpProcess:
    """One process.

    Attributes:
        received: every line of stdout, which must be JSON.
        log: the text of stderr.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.received: list[Any] = []
        self.log = ""
        self._ids = 0
        self._readers = [asyncio.create_task(self._read_stdout()), asyncio.create_task(self._read_stderr())]

    def send(self, message: Mapping[str, Any] | str) -> None:
        """A text is sent unchanged, as a line."""
        text = message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message})
        assert self.process.stdin
        self.process.stdin.write(text.encode() + b"\n")

    async def request(self, method: str, params: Any = None) -> Any:
        """The answer."""
        self._ids += 1
        number = self._ids
        self.send({"id": number, "method": method, **({} if params is None else {"params": params})})
        return await self.answer(number)

    async def answer(self, request: int | str) -> Any:
        def find() -> Any:
            assert not self._readers[0].done(), f"It has ended: {self.log}"
            return next((each for each in self.received if each.get("id") == request), None)

        return await until(find)

    async def initialize(self) -> Any:
        answer = await self.request("initialize", _HANDSHAKE)
        self.send({"method": "notifications/initialized"})
        return answer

    async def call(self, name: str, arguments: Any = None, **params: Any) -> Any:
        """The result of a tool call."""
        given = {} if arguments is None else {"arguments": arguments}
        return (await self.request("tools/call", {"name": name, **given, **params}))["result"]

    async def end(self) -> int:
        """Closes stdin, and returns the exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*self._readers)
            return await self.process.wait()

    async def _read_stdout(self) -> None:
        assert self.process.stdout
        async for line in self.process.stdout:
            self.received.append(json.loads(line))

    async def _read_stderr(self) -> None:
        assert self.process.stderr
        async for line in self.process.stderr:
            self.log += line.decode()


@asynccontextmanager
async def mcp_process(
    environment: Mapping[str, str], arguments: Sequence[str] = (), command: Sequence[str] = MCP_COMMAND
) -> AsyncIterator[McpProcess]:
    """A process with these variables, killed at the end."""
    process = await asyncio.create_subprocess_exec(
        *command,
        *arguments,
        env={"PATH": os.environ["PATH"], **environment},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=2**24,
    )
    mcp = McpProcess(process)
    try:
        yield mcp
    finally:
        if process.returncode is None:
            process.kill()
        await mcp.end()
