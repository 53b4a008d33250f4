"""A loop of your own around the Responses API.

OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/openai_responses.py "What time is it in Tokyo?"
"""

import asyncio
import os
import sys
from typing import Any

from openai import AsyncOpenAI

from svc.ai.openai import svc_responses_tools


async def main(question: str) -> None:
    openai = AsyncOpenAI()
    tools = svc_responses_tools()
    request: dict[str, Any] = {"model": os.environ.get("OPENAI_MODEL", "gpt-5-mini"), "tools": tools}
    response = await openai.responses.create(**request, input=question)
    while answers := await tools.call_tools(response.output):
        response = await openai.responses.create(**request, input=answers, previous_response_id=response.id)
    print(response.output_text)


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?"))
