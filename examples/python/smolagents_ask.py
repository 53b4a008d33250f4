"""A smolagents agent that writes code around every action there is.

OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/smolagents_ask.py "What time is it in Tokyo?"
"""

import os
import sys

from smolagents import CodeAgent, OpenAIModel

from svc.ai.smolagents import svc_tools


def main(question: str) -> None:
    model = OpenAIModel(os.environ.get("OPENAI_MODEL", "gpt-5-mini"))
    print(CodeAgent(tools=svc_tools(), model=model, verbosity_level=0).run(question))


main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?")
