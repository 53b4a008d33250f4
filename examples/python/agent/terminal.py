"""An agent in the terminal, by a client of one's own. Ctrl-D ends it.

```sh
SVC_AGENT_API_KEY=… SVC_MODEL=openai/gpt-5-mini OPENAI_API_KEY=… python examples/python/agent/terminal.py
```

Input from a pipe is read line by line, each after the reply to the one before.
"""

import asyncio
import os
import sys
from collections.abc import Sequence

from svc.agent import Agent
from svc.client.base import BaseClient, Message, MessageContext, message_text, reply_images, reply_text

MAX_CHARS = 160


class TerminalClient(BaseClient):
    """One chat, with the person at the keyboard."""

    client_id = "terminal"

    def __init__(self) -> None:
        self.ended = asyncio.Event()
        self._is_terminal = sys.stdin.isatty()
        self._lines = asyncio.StreamReader()
        self._replied = asyncio.Event()
        self._replied.set()

    async def start(self) -> None:
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(self._lines), sys.stdin)

    async def stop(self) -> None:
        pass

    async def receive_message(self) -> MessageContext | None:
        await self._replied.wait()
        if self._is_terminal:
            print("\nyou> ", end="", flush=True)
        line = (await self._lines.readline()).decode()
        if line == "":
            self.ended.set()
            # The agent cancels this wait.
            await asyncio.Event().wait()
        if line.strip() == "":
            return None
        if not self._is_terminal:
            print(f"\nyou> {line.strip()}")
        self._replied.clear()
        return MessageContext(chat_id="terminal", user_id="you", message=line.strip())

    async def send_message(self, ctx: MessageContext, reply_messages: Sequence[Message]) -> None:
        """Prints the tool calls with their results, and the reply."""
        for message in reply_messages:
            for call in message.get("tool_calls") or ():
                print(f"  → {call['function']['name']} {shorten(call['function']['arguments'])}")
            if message["role"] == "tool":
                print(f"  ← {shorten(message_text(message))}")
        for _ in reply_images(reply_messages):
            print("  [an image]")
        print(f"\nagent> {reply_text(reply_messages).strip()}", flush=True)
        self._replied.set()


def shorten(text: str) -> str:
    return text if len(text) <= MAX_CHARS else f"{text[:MAX_CHARS]}…"


async def main() -> None:
    client = TerminalClient()
    agent = Agent(clients=[client], store=os.environ.get("SVC_AGENT_STORE", "terminal.db"))
    serving = asyncio.create_task(agent.serve())
    ended = asyncio.create_task(client.ended.wait())
    await asyncio.wait({serving, ended}, return_when=asyncio.FIRST_COMPLETED)
    await agent.stop()
    await serving


if __name__ == "__main__":
    asyncio.run(main())
