"""A Google ADK agent with every action there is. A human approves what is destructive.

GEMINI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/google_adk_ask.py "What time is it in Tokyo?"
"""

import asyncio
import os
import sys

from google.adk.agents import Agent
from google.adk.runners import InMemoryRunner
from google.genai import types

from svc.ai.google_adk import svc_tools

CONFIRMATION = "adk_request_confirmation"


async def main(question: str) -> None:
    agent = Agent(name="assistant", model=os.environ.get("GEMINI_MODEL", "gemini-3.8-flash"), tools=svc_tools())
    async with InMemoryRunner(agent) as runner:
        session = await runner.session_service.create_session(app_name=runner.app_name, user_id="you")
        message: types.Content | None = types.UserContent(question)
        while message is not None:
            answers: list[types.Part] = []
            async for event in runner.run_async(user_id="you", session_id=session.id, new_message=message):
                answers += [answer_to(call) for call in event.get_function_calls() if call.name == CONFIRMATION]
                if event.is_final_response() and event.content and event.content.parts and event.content.parts[0].text:
                    print(event.content.parts[0].text)
            message = types.UserContent(answers) if answers else None


def answer_to(call: types.FunctionCall) -> types.Part:
    """Asks about the call that would run. A call that the service does not know cannot be approved."""
    hint = (call.args or {})["toolConfirmation"].get("hint")
    confirmed = bool(hint) and input(f"Run {hint}? (y/n) ") == "y"
    return types.Part(
        function_response=types.FunctionResponse(id=call.id, name=call.name, response={"confirmed": confirmed})
    )


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?"))
