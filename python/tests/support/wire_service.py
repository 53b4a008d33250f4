"""The service's side of toolkit sockets, played by a test frame by frame."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tests.support.waiting import PATIENCE


class WireSocket:
    """One socket of a toolkit."""

    def __init__(self, connection: ServerConnection) -> None:
        self.connection = connection

    @property
    def headers(self) -> Any:
        assert self.connection.request
        return self.connection.request.headers

    async def next(self) -> Any:
        """The next frame of the toolkit."""
        async with asyncio.timeout(PATIENCE):
            return json.loads(await self.connection.recv())

    async def send(self, frame: Any) -> None:
        await self.connection.send(json.dumps(frame))

    async def send_text(self, text: str | bytes) -> None:
        await self.connection.send(text)

    async def answer(self, frame: Any, result: Any = None) -> None:
        await self.send({"jsonrpc": "2.0", "id": frame["id"], "result": {} if result is None else result})

    async def refuse(self, frame: Any, message: str, **data: Any) -> None:
        await self.send(
            {"jsonrpc": "2.0", "id": frame["id"], "error": {"code": -32000, "message": message, "data": data}}
        )

    async def accept(self, *, awaiting: list[str] | None = None, **members: Any) -> Any:
        """Answers ``register``, and returns its params."""
        frame = await self.next()
        assert frame["method"] == "register"
        await self.answer(frame, {**REGISTERED, "awaiting": awaiting or [], **members})
        return frame["params"]

    async def invoke(self, invocation_id: str, action: str, payload: Any = None, **params: Any) -> None:
        call = {"action": action, "payload": payload, "agentId": "key_agent", "timeoutMs": 10_000, **params}
        await self.send({"jsonrpc": "2.0", "id": invocation_id, "method": "invoke", "params": call})

    async def notify(self, method: str, params: Any) -> None:
        await self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def cut(self) -> None:
        self.connection.transport.abort()

    async def closed(self) -> tuple[int | None, list[Any]]:
        """The close code of the toolkit, and the frames before it. Requests are answered."""
        frames = []
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    frame = await self.next()
                    frames.append(frame)
                    if "method" in frame and "id" in frame:
                        await self.answer(frame)
        except ConnectionClosed:
            return self.connection.close_code, frames


REGISTERED = {
    "protocol": 1,
    "toolkit": {"id": "wire", "name": "Wire", "description": "On the wire"},
    "accepted": [],
    "rejected": [],
    "awaiting": [],
    "heartbeatMs": 60_000,
}


class WireService:
    """A listening service; a test takes its sockets one by one."""

    def __init__(self) -> None:
        self.sockets: asyncio.Queue[WireSocket] = asyncio.Queue()
        self.url = ""

    async def socket(self) -> WireSocket:
        async with asyncio.timeout(PATIENCE):
            return await self.sockets.get()


@asynccontextmanager
async def wire_service(port: int = 0, **options: Any) -> AsyncIterator[WireService]:
    service = WireService()

    async def accept(connection: ServerConnection) -> None:
        await service.sockets.put(WireSocket(connection))
        await connection.wait_closed()

    async with serve(accept, "127.0.0.1", port, max_size=None, ping_interval=None, **options) as server:
        service.url = f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        yield service
