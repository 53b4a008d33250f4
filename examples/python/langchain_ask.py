"""A LangChain agent with every action there is.

OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/langchain_ask.py "What time is it in Tokyo?"
"""

import asyncio
import os
import sys

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI

from svc.ai.langchain import svc_tools


async def main(question: str) -> None:
    agent = create_agent(ChatOpenAI(model=os.environ.get("OPENAI_MODEL", "gpt-5-mini")), tools=svc_tools())
    state = await agent.ainvoke({"messages": [{"role": "user", "content": question}]})
    print(state["messages"][-1].text)


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?"))
