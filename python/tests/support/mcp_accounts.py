"""A Python client whose user connects an account, for ``service/test/e2e/mcp-accounts-python.full.test.ts``.

Arguments: the URL of the server and an agent key. Prints the link of the page, reads the code from stdin, and prints
the result of the call as JSON.
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitRequestParams, ElicitRequestURLParams, ElicitResult

ARGUMENTS = {"action": "github__whoami", "payload": {}}


async def main(url: str, key: str) -> None:
    codes: list[str] = []

    async def ask_user(context: object, params: ElicitRequestParams) -> ElicitResult:
        if not isinstance(params, ElicitRequestURLParams):
            return ElicitResult(action="accept", content={"code": codes.pop()})
        print(params.url, flush=True)
        codes.append((await asyncio.to_thread(sys.stdin.readline)).strip())
        return ElicitResult(action="accept")

    headers = {"authorization": f"Bearer {key}", "svc-user-id": "ada"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), elicitation_callback=ask_user) as client,
    ):
        result = await client.call_tool("invoke_service", ARGUMENTS)
        print(json.dumps([getattr(block, "text", None) for block in result.content]), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
