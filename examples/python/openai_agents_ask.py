"""An agent of the OpenAI Agents SDK with every action there is. A human approves what is destructive.

OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/openai_agents_ask.py "What time is it in Tokyo?"
"""

import asyncio
import os
import sys

from agents import Agent, RunConfig, Runner, ToolApprovalItem, set_tracing_disabled

from svc import SvcError, Tools, describe_call
from svc.ai.openai_agents import svc_tools

# Traces go to OpenAI by default.
set_tracing_disabled(True)


async def main(question: str) -> None:
    tools = Tools()
    agent = Agent(name="Assistant", model=os.environ.get("OPENAI_MODEL", "gpt-5-mini"), tools=svc_tools(tools))
    # Otherwise a call of a tool that does not exist ends the run.
    run_config = RunConfig(tool_not_found_behavior="return_error_to_model")
    result = await Runner.run(agent, question, run_config=run_config)
    while result.interruptions:
        state = result.to_state()
        for call in result.interruptions:
            if await may_run(tools, call):
                state.approve(call)
            else:
                state.reject(call)
        result = await Runner.run(agent, state, run_config=run_config)
    print(result.final_output)


async def may_run(tools: Tools, call: ToolApprovalItem) -> bool:
    """Asks about the call that would run. A call that the service does not know cannot be approved."""
    try:
        would_run = await tools.resolve(call.name or "", call.arguments)
    except SvcError:
        return False
    return input(f"Run {describe_call(would_run)}? (y/n) ") == "y"


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?"))
