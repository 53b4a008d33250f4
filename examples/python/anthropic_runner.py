"""Anthropic's tool runner with every action there is.

ANTHROPIC_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/anthropic_runner.py "What time is it in Tokyo?"
"""

import asyncio
import os
import sys

from anthropic import AsyncAnthropic

from svc.ai.anthropic import svc_tools


async def main(question: str) -> None:
    runner = AsyncAnthropic().beta.messages.tool_runner(
        model=os.environ.get("ANTHROPIC_MODEL", "claude-sonnet-5-5"),
        max_tokens=2_000,
        messages=[{"role": "user", "content": question}],
        tools=svc_tools(),
        # Other servers of this API do not support threads.
        thread=False,
    )
    message = await runner.until_done()
    print("".join(block.text for block in message.content if block.type == "text"))


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?"))
