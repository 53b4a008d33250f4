"""An agent in Telegram. @BotFather makes the bot and its token.

```sh
export SVC_MODEL=openai/gpt-5-mini OPENAI_API_KEY=…
SVC_AGENT_API_KEY=… TELEGRAM_BOT_TOKEN=… python examples/python/agent/telegram.py
```
"""

import os
import sys

from svc.agent import Agent, AgentEvent
from svc.client.telegram import TelegramClient


def report_error(event: AgentEvent) -> None:
    if error := getattr(event, "error", None):
        print(f"{event.type}: {error}", file=sys.stderr)


telegram = TelegramClient(
    bot_token=os.environ["TELEGRAM_BOT_TOKEN"],
    api_root=os.environ.get("TELEGRAM_API_ROOT", "https://api.telegram.org"),
)
agent = Agent(
    clients=[telegram],
    store=os.environ.get("SVC_AGENT_STORE", "telegram.db"),
    on_event=report_error,
)
agent.run()
