"""A Python client that signs in at an MCP server, for ``service/test/e2e/oauth-python.full.test.ts``.

Arguments: ``mcp`` or ``fastmcp``, the URL of the server, and perhaps that of a client ID metadata document. Prints what
three calls at the same time returned, as JSON; does so again for each line of stdin, a minute later by its clock.
"""

import asyncio
import json
import sys
import time
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import fastmcp
import httpx2
from fastmcp.client.auth import OAuth
from mcp import Client
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

Call = Callable[[str, dict[str, Any]], Awaitable[Any]]

ARGUMENTS = {"action": "echo__say", "payload": {"text": "hi"}}


class MemoryStorage(TokenStorage):
    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Callback:
    """The page of the app to which the browser returns."""

    def __init__(self) -> None:
        self._answer: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        target = (await reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode()
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        await writer.drain()
        writer.close()
        self._answer.set_result(dict(parse_qsl(urlsplit(target).query)))

    async def answer(self) -> AuthorizationCodeResult:
        given = await self._answer
        return AuthorizationCodeResult(code=given["code"], state=given.get("state"), iss=given.get("iss"))


@asynccontextmanager
async def mcp_client(url: str, document: str | None) -> AsyncIterator[Call]:
    callback = Callback()
    server = await asyncio.start_server(callback.handle, "127.0.0.1")
    port = server.sockets[0].getsockname()[1]
    metadata = {"client_name": "Probe", "redirect_uris": [f"http://127.0.0.1:{port}/callback"]}

    async def open_browser(address: str) -> None:
        webbrowser.open(address)

    provider = OAuthClientProvider(
        server_url=url,
        client_metadata=OAuthClientMetadata.model_validate(metadata),
        storage=MemoryStorage(),
        redirect_handler=open_browser,
        callback_handler=callback.answer,
        client_metadata_url=document,
    )
    async with (
        server,
        httpx2.AsyncClient(auth=provider, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client.call_tool


@asynccontextmanager
async def fastmcp_client(url: str, document: str | None) -> AsyncIterator[Call]:
    async with fastmcp.Client(url, auth=OAuth(client_name="Probe", client_metadata_url=document)) as client:
        yield client.call_tool


def wait_a_minute() -> None:
    now = time.time
    time.time = lambda: now() + 61


async def main(kind: str, url: str, document: str | None = None) -> None:
    connect = {"mcp": mcp_client, "fastmcp": fastmcp_client}[kind]
    async with connect(url, document) as call:
        while True:
            results = await asyncio.gather(*(call("invoke_service", ARGUMENTS) for _ in range(3)))
            print(json.dumps([result.structured_content for result in results]), flush=True)
            if not await asyncio.to_thread(sys.stdin.readline):
                return
            wait_a_minute()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
