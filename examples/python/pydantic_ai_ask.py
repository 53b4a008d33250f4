"""A Pydantic AI agent with every action there is. A human approves what is destructive.

OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/pydantic_ai_ask.py "What time is it in Tokyo?"
"""

import asyncio
import os
import sys
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests

from svc.ai.pydantic_ai import svc_tools


async def main(question: str) -> None:
    model = f"openai-chat:{os.environ.get('OPENAI_MODEL', 'gpt-5-mini')}"
    agent: Agent[None, Any] = Agent(model, tools=svc_tools(), output_type=[str, DeferredToolRequests])
    result = await agent.run(question)
    while isinstance(result.output, DeferredToolRequests):
        requests = result.output
        approvals = {
            call.tool_call_id: may_run(requests.metadata.get(call.tool_call_id, {})) for call in requests.approvals
        }
        result = await agent.run(
            message_history=result.all_messages(), deferred_tool_results=requests.build_results(approvals=approvals)
        )
    print(result.output)


def may_run(would_run: dict[str, Any]) -> bool:
    """Asks about the call that would run. A call that the service does not know cannot be approved."""
    return "description" in would_run and input(f"Run {would_run['description']}? (y/n) ") == "y"


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?"))
