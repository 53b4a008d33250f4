"""An HTTP server with scripted answers, which records the received requests."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Received:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Reply:
    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    #: The bytes in place of ``body``.
    raw: bytes | None = None
    #: Fewer bytes than promised, and then the end of the connection.
    broken: bool = False
    #: The end of the connection without a byte.
    cut: bool = False
    #: Sent again and again after the other bytes, until the client leaves.
    endless: bytes = b""
    #: The server never answers.
    silent: bool = False

    def to_bytes(self) -> bytes:
        kind = "application/json" if self.status < 400 else "application/problem+json"
        content = json.dumps(self.body, ensure_ascii=False).encode() if self.raw is None else self.raw
        headers = {"content-type": kind, "content-length": str(len(content) + self.broken), **self.headers}
        if self.status == 204:
            content, headers = b"", self.headers
        if self.endless:
            del headers["content-length"]
        lines = [f"HTTP/1.1 {self.status} Answer", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


@dataclass
class WireServer:
    url: str
    received: list[Received] = field(default_factory=list)
    #: Requests whose connection the client closed before the answer.
    left: int = 0
    #: The bytes of an endless answer that clients have accepted.
    endless_bytes: int = 0


Answer = Callable[[Received], Reply | Awaitable[Reply]]


@asynccontextmanager
async def wire_server(*answers: Reply | Answer) -> AsyncIterator[WireServer]:
    """Sends these answers in order, and repeats the last one."""
    waiting = list(answers)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                received = await _read(head, reader)
                server.received.append(received)
                answer = waiting.pop(0) if len(waiting) > 1 else waiting[0]
                said = answer if isinstance(answer, Reply) else answer(received)
                reply = said if isinstance(said, Reply) else await said
                if reply.cut:
                    return
                if reply.silent:
                    await reader.read()
                    server.left += 1
                    return
                writer.write(reply.to_bytes())
                await writer.drain()
                while reply.endless:
                    writer.write(reply.endless)
                    server.endless_bytes += len(reply.endless)
                    await writer.drain()
                if reply.broken:
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    server = WireServer(f"http://127.0.0.1:{port}")
    try:
        yield server
    finally:
        listening.close()


async def _read(head: bytes, reader: asyncio.StreamReader) -> Received:
    first, *lines = head.decode().strip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    content = await reader.readexactly(int(headers.get("content-length", 0)))
    return Received(method, path, headers, json.loads(content) if content else None)
