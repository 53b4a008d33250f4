"""A Python client whose call waits for a person, for ``service/test/e2e/mcp-approvals-programs.full.test.ts``.

Arguments: the URL of the server and an agent key. Each request ends after 2.5 s. Prints the result as JSON.
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

ARGUMENTS = {"action": "shop__order", "payload": {"item": "tea"}}


async def main(url: str, key: str) -> None:
    async with (
        httpx2.AsyncClient(headers={"authorization": f"Bearer {key}"}, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), read_timeout_seconds=2.5) as client,
    ):
        result = await client.call_tool("invoke_service", ARGUMENTS)
        print(json.dumps([getattr(block, "text", None) for block in result.content]), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
