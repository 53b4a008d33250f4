"""The whole loop around a model, with the ``openai`` package.

```sh
OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/openai_loop.py "What is the weather in Rome?"
```
"""

import asyncio
import os
import sys
from typing import Any

from openai import AsyncOpenAI

from svc import Tools

MAX_ROUNDS = 20


async def ask(question: str, *, client: AsyncOpenAI, model: str, tools: Tools) -> str:
    """Returns the model's answer, after as many tool calls as it wants to make."""
    messages: list[Any] = [{"role": "user", "content": question}]
    for _ in range(MAX_ROUNDS):
        definitions: list[Any] = await tools.get_tools()
        completion = await client.chat.completions.create(model=model, messages=messages, tools=definitions)
        message = completion.choices[0].message
        results = await tools.call_tools(message.tool_calls)
        if not results:
            return message.content or ""
        messages += [message, *results]
    raise RuntimeError(f"No answer after {MAX_ROUNDS} rounds of tool calls")


async def main() -> None:
    question = sys.argv[1] if len(sys.argv) > 1 else "What is the weather in Rome?"
    model = os.environ.get("OPENAI_MODEL", "gpt-5-mini")
    async with AsyncOpenAI() as client, Tools() as tools:
        print(await ask(question, client=client, model=model, tools=tools))


if __name__ == "__main__":
    asyncio.run(main())
