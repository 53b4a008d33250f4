"""A Haystack agent with every action there is. A human approves what is destructive.

OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/haystack_ask.py "What time is it in Tokyo?"
"""

import os
import sys
from typing import Any

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.hooks.human_in_the_loop import ConfirmationUIResult
from haystack.hooks.human_in_the_loop.types import ConfirmationUI

from svc.ai.haystack import ask_before_calls, svc_tools


class Console(ConfirmationUI):
    """Asks about the call that would run."""

    def get_user_confirmation(
        self, tool_name: str, tool_description: str, tool_params: dict[str, Any]
    ) -> ConfirmationUIResult:
        approved = input(f"Run {tool_description}? (y/n) ") == "y"
        return ConfirmationUIResult("confirm" if approved else "reject")


def main(question: str) -> None:
    tools = svc_tools()
    agent = Agent(
        chat_generator=OpenAIChatGenerator(model=os.environ.get("OPENAI_MODEL", "gpt-5-mini")),
        tools=[*tools],
        hooks={"before_tool": [ask_before_calls(tools, Console())]},
    )
    print(agent.run([ChatMessage.from_user(question)])["last_message"].text)


main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?")
