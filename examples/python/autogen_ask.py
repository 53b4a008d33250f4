"""An AutoGen agent with every action there is.

OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/autogen_ask.py "What time is it in Tokyo?"
"""

import asyncio
import os
import sys

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import TextMessage
from autogen_ext.models.openai import OpenAIChatCompletionClient

from svc.ai.autogen import svc_tools


async def main(question: str) -> None:
    model = OpenAIChatCompletionClient(model=os.environ.get("OPENAI_MODEL", "gpt-5-mini"))
    agent = AssistantAgent("assistant", model, tools=[*svc_tools()], max_tool_iterations=20)
    result = await agent.run(task=question)
    answer = result.messages[-1]
    print(answer.content if isinstance(answer, TextMessage) else answer.to_text())
    await model.close()


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?"))
