"""A Strands agent with every action there is. A human approves what is destructive.

OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/strands_ask.py "What time is it in Tokyo?"
"""

import asyncio
import os
import sys
from typing import Any

from strands import Agent
from strands.models.openai import OpenAIModel
from strands.types.interrupt import InterruptResponseContent

from svc.ai.strands import svc_tools


async def main(question: str) -> None:
    model = OpenAIModel(model_id=os.environ.get("OPENAI_MODEL", "gpt-5-mini"))
    agent = Agent(model=model, tools=svc_tools(), callback_handler=None)
    result = await agent.invoke_async(question)
    while result.interrupts:
        answers: list[InterruptResponseContent] = [
            {"interruptResponse": {"interruptId": each.id, "response": may_run(each.reason)}}
            for each in result.interrupts
        ]
        result = await agent.invoke_async(answers)
    print(str(result).strip())


def may_run(would_run: dict[str, Any] | None) -> bool:
    """Asks about the call that would run. A call that the service does not know cannot be approved."""
    return would_run is not None and input(f"Run {would_run['description']}? (y/n) ") == "y"


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?"))
