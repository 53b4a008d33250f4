"""An Agno agent with every action there is.

OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/agno_ask.py "What time is it in Tokyo?"
"""

import asyncio
import os
import sys

from agno.agent import Agent
from agno.models.openai import OpenAIChat

from svc.ai.agno import svc_tools


async def main(question: str) -> None:
    model = OpenAIChat(id=os.environ.get("OPENAI_MODEL", "gpt-5-mini"))
    agent = Agent(model=model, tools=[*svc_tools()])
    print((await agent.arun(question)).content)


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?"))
