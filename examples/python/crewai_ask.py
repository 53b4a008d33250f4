"""A CrewAI agent with every action there is.

OPENAI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/crewai_ask.py "What time is it in Tokyo?"
"""

import os
import sys

from crewai import LLM, Agent, Crew, Task

from svc.ai.crewai import svc_tools


def main(question: str) -> None:
    agent = Agent(
        role="Assistant",
        goal="Answer with the help of your tools",
        backstory="You can find and use any action.",
        llm=LLM(model=f"openai/{os.environ.get('OPENAI_MODEL', 'gpt-5-mini')}"),
        tools=svc_tools(),
    )
    task = Task(description=question, expected_output="The answer", agent=agent)
    print(Crew(agents=[agent], tasks=[task]).kickoff())


main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?")
