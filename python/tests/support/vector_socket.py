"""The service's sockets of one transcript: the open upgrade requests, and the frames of each socket."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from tests.support.waiting import until


class Frames:
    """One socket, and the frames that no step has read."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self.left: deque[Any] = deque()
        self.is_closed = False

    async def read(self) -> None:
        """Reads until the socket is closed."""
        try:
            async for text in self._connection:
                self.left.append(json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            self.is_closed = True

    async def send(self, frame: Any) -> None:
        """A text is sent unchanged."""
        await self._connection.send(frame if isinstance(frame, str) else json.dumps(frame, ensure_ascii=False))

    async def next(self) -> Any:
        await until(lambda: self.left or self.is_closed)
        assert self.left, f"no frame came, closed with {self._connection.close_code}"
        return self.left.popleft()

    def take_if(self, test: Callable[[Any], bool]) -> Any:
        """The next frame, if it has arrived and passes the test."""
        return self.left.popleft() if self.left and test(self.left[0]) else None

    async def closed(self) -> int | None:
        """The close code of the toolkit."""
        await until(lambda: self.is_closed)
        return self._connection.close_code

    async def close(self, code: int, reason: str) -> None:
        await self._connection.close(code, reason)

    def cut(self) -> None:
        self._connection.transport.abort()


@dataclass
class Upgrade:
    """A toolkit's request for a socket."""

    request: Request
    answer: "asyncio.Future[Response | None]"
    frames: "asyncio.Future[Frames]"

    async def accept(self) -> Frames:
        self.answer.set_result(None)
        return await self.frames

    def refuse(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        headers = Headers({"content-type": "application/problem+json", "content-length": str(len(content))})
        self.answer.set_result(Response(status, HTTPStatus(status).phrase, headers, content))


class VectorSocketService:
    """A service whose upgrade requests a test answers one by one."""

    def __init__(self) -> None:
        self.url = ""
        self.upgrades: deque[Upgrade] = deque()
        self._opening: dict[ServerConnection, Upgrade] = {}

    async def upgrade(self) -> Upgrade:
        await until(lambda: self.upgrades)
        return self.upgrades.popleft()

    async def process_request(self, connection: ServerConnection, request: Request) -> Response | None:
        loop = asyncio.get_running_loop()
        upgrade = self._opening[connection] = Upgrade(request, loop.create_future(), loop.create_future())
        self.upgrades.append(upgrade)
        return await upgrade.answer

    async def serve(self, connection: ServerConnection) -> None:
        frames = Frames(connection)
        self._opening[connection].frames.set_result(frames)
        await frames.read()


@asynccontextmanager
async def vector_socket_service() -> AsyncIterator[VectorSocketService]:
    service = VectorSocketService()
    async with serve(
        service.serve,
        "127.0.0.1",
        0,
        process_request=service.process_request,
        max_size=None,
        ping_interval=None,
        # Some transcripts end while a toolkit waits for the answer to an upgrade.
        open_timeout=None,
        close_timeout=0.1,
    ) as server:
        service.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield service
        finally:
            for upgrade in service.upgrades:
                upgrade.refuse(503, {})
