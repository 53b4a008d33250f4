"""An agent in a separate process, which tests kill: ``python -m tests.agent.agent_process``.

Reads its options from the environment, like ``bench/agent/agent-process.ts``: ``SVC_BASE_URL``,
``SVC_AGENT_API_KEY``, ``SVC_MODEL``, ``OPENAI_BASE_URL``, ``OPENAI_API_KEY``, ``TELEGRAM_TOKEN``,
``TELEGRAM_API_ROOT``, ``AGENT_STORE``. Prints ``started`` when it receives messages, and ends at SIGTERM.
"""

import os
import sys

from svc.agent import Agent, AgentEvent
from svc.client.telegram import TelegramClient


def report(event: AgentEvent) -> None:
    if getattr(event, "state", None) == "started":
        print("started", flush=True)
    if error := getattr(event, "error", None):
        print(event.type, repr(error), file=sys.stderr, flush=True)


if __name__ == "__main__":
    client = TelegramClient(bot_token=os.environ["TELEGRAM_TOKEN"], api_root=os.environ["TELEGRAM_API_ROOT"])
    Agent(store=os.environ["AGENT_STORE"], clients=[client], on_event=report).run()
