"""An agent of the OpenAI Agents SDK with every action there is.

OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/openai_agents_ask.py "What time is it in Tokyo?"
"""

import asyncio
import os
import sys

from agents import Agent, RunConfig, Runner, set_tracing_disabled

from svc.ai.openai_agents import svc_tools

# Traces go to OpenAI by default.
set_tracing_disabled(True)


async def main(question: str) -> None:
    agent = Agent(name="Assistant", model=os.environ.get("OPENAI_MODEL", "gpt-5-mini"), tools=svc_tools())
    # Otherwise a call of a tool that does not exist ends the run.
    run_config = RunConfig(tool_not_found_behavior="return_error_to_model")
    result = await Runner.run(agent, question, run_config=run_config)
    print(result.final_output)


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?"))
