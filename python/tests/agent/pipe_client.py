"""A client whose platform is two lists."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from svc.client.base import BaseClient, Message, MessageContext, reply_text


@dataclass
class Sent:
    chat_id: str
    text: str
    reply_messages: Sequence[Message]


class PipeClient(BaseClient):
    """The cursor counts the messages that were received."""

    def __init__(self, client_id: str = "pipe") -> None:
        self._client_id = client_id
        self.said: list[MessageContext] = []
        self.sent: list[Sent] = []
        self.states: list[str] = []
        self._arrived = asyncio.Event()
        #: Runs before a message is sent.
        self.on_send: Callable[[MessageContext], Awaitable[None]] | None = None

    @property
    def client_id(self) -> str:
        return self._client_id

    def say(self, message: str, chat_id: str = "chat", **ctx: Any) -> None:
        members = {"user_id": "ann", "message_id": f"m{len(self.said) + 1}", **ctx}
        self.said.append(MessageContext(chat_id=chat_id, message=message, **members))
        self._arrived.set()

    async def start(self) -> None:
        self.states.append("started")

    async def stop(self) -> None:
        self.states.append("stopped")

    async def receive_message(self) -> MessageContext | None:
        received = self.cursor or 0
        while len(self.said) <= received:
            self._arrived.clear()
            await self._arrived.wait()
        self.cursor = received + 1
        return self.said[received]

    async def send_message(self, ctx: MessageContext, reply_messages: Sequence[Message]) -> None:
        if self.on_send:
            await self.on_send(ctx)
        self.sent.append(Sent(ctx.chat_id, reply_text(reply_messages), reply_messages))

    @property
    def texts(self) -> list[str]:
        return [sent.text for sent in self.sent]
