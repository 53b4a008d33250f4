"""A loop of your own around chat completions, which most other servers speak too.

OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/openai_chat.py "What time is it in Tokyo?"
"""

import asyncio
import os
import sys
from typing import Any

from openai import AsyncOpenAI

from svc.ai.openai import svc_tools


async def main(question: str) -> None:
    openai = AsyncOpenAI()
    tools = svc_tools()
    messages: list[Any] = [{"role": "user", "content": question}]
    while True:
        completion = await openai.chat.completions.create(
            model=os.environ.get("OPENAI_MODEL", "gpt-5-mini"), messages=messages, tools=tools
        )
        message = completion.choices[0].message
        if not message.tool_calls:
            break
        messages += [message, *await tools.call_tools(message.tool_calls)]
    print(message.content)


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?"))
