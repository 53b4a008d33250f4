"""A relay in front of the service that withholds one answer of the service."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit


class HeldRelay:
    """``hold`` withholds the next answer to a call without end."""

    def __init__(self, target: str) -> None:
        self._target = urlsplit(target)
        self._is_held = False
        self.reached = asyncio.Event()
        self.url = ""

    def hold(self) -> None:
        self._is_held = True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to_service = await asyncio.open_connection(self._target.hostname, self._target.port)
        is_call = False

        async def forward() -> None:
            nonlocal is_call
            while chunk := await reader.read(65_536):
                is_call = b"POST /v1/invoke" in chunk or (is_call and b"HTTP/1.1" not in chunk)
                to_service[1].write(chunk)

        async def back() -> None:
            while chunk := await to_service[0].read(65_536):
                if is_call and self._is_held:
                    self._is_held = False
                    self.reached.set()
                    return
                writer.write(chunk)

        answering = asyncio.ensure_future(back())
        try:
            await forward()
        except ConnectionError:
            pass
        finally:
            answering.cancel()
            to_service[1].close()
            writer.close()


@asynccontextmanager
async def held_relay(target: str) -> AsyncIterator[HeldRelay]:
    relay = HeldRelay(target)
    server = await asyncio.start_server(relay.serve, "127.0.0.1", 0)
    relay.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield relay
    finally:
        server.close()
