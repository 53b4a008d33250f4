"""An MCP client without a model: starts the server of a configuration, lists its tools and calls them.

```sh
pip install mcp
python examples/python/mcp/client.py examples/python/mcp/mcp.json "weather in a city" '{"city": "Rome"}'
```
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.types import TextContent


async def main(server: StdioServerParameters, query: str, payload: str) -> None:
    async with Client(server) as client:
        print(", ".join(tool.name for tool in (await client.list_tools()).tools))

        actions = json.loads(await call(client, "search_services", {"query": query, "limit": 1}))["actions"]
        if not actions:
            sys.exit(f'Nothing was found for "{query}"')
        action = actions[0]["action"]
        result = await call(client, "invoke_service", {"action": action, "payload": json.loads(payload)})
        print(f"{action}: {result}")


async def call(client: Client, name: str, arguments: dict[str, Any]) -> str:
    result = await client.call_tool(name, arguments)
    text = "".join(part.text for part in result.content if isinstance(part, TextContent))
    if result.is_error:
        sys.exit(text)
    return text


if __name__ == "__main__":
    configuration, query, payload = sys.argv[1:]
    server = json.loads(Path(configuration).read_text())["mcpServers"]["svc"]
    asyncio.run(main(StdioServerParameters(**server), query, payload))
