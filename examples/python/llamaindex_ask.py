"""A LlamaIndex agent with every action there is. A human approves what is destructive.

OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/llamaindex_ask.py "What time is it in Tokyo?"
"""

import asyncio
import os
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai import OpenAI

from svc.ai.llamaindex import ApprovalRequestEvent, svc_tools


async def main(question: str) -> None:
    llm = OpenAI(os.environ.get("OPENAI_MODEL", "gpt-5-mini"), api_base=os.environ.get("OPENAI_BASE_URL"))
    handler = FunctionAgent(llm=llm, tools=svc_tools()).run(question)
    async for event in handler.stream_events():
        if isinstance(event, ApprovalRequestEvent):
            # A call that the service does not know cannot be approved.
            is_approved = event.description is not None and input(f"Run {event.description}? (y/n) ") == "y"
            handler.ctx.send_event(event.approve() if is_approved else event.reject())
    print(await handler)


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?"))
