"""A fake platform for one case, with its own chats and clients that are stopped at the end."""

import asyncio
import random
from collections.abc import Callable
from typing import Literal

from svc.client.base import BaseClient, MessageContext
from svc.client.testing.contract.check import plain_or_async
from svc.client.testing.contract.secrets import Secrets
from svc.client.testing.contract.tested_client import TestedClient
from svc.client.testing.fake_platform import FakePlatform, SentMessage

#: Makes a client with right or wrong credentials.
MakeClient = Callable[[Literal["right", "wrong"]], BaseClient]

#: The person who writes, if a case does not name one.
_WRITER = "2000000101"


class Stage:
    """The fake as one case uses it."""

    def __init__(self, make: MakeClient, fake: FakePlatform) -> None:
        self.fake = fake
        self._make = make
        self._secrets = Secrets(fake)
        self._clients: list[TestedClient] = []
        self._chats: set[str] = set()
        self._said = 0

    def open_chat(self) -> str:
        """A numeric id, which every platform of this package accepts."""
        chat_id = str(random.SystemRandom().randrange(2**32, 2**47))
        self._chats.add(chat_id)
        return chat_id

    async def say(self, chat_id: str, *, user_id: str = _WRITER, twice: bool = False) -> str:
        """Writes as a person. Returns the text, which is different each time."""
        self._said += 1
        text = f"message {self._said} in {chat_id}"
        await plain_or_async(self.fake.say(text, chat_id=chat_id, user_id=user_id, twice=twice))
        return text

    def client(self, credentials: Literal["right", "wrong"] = "right") -> TestedClient:
        client = self._make(credentials)
        self._secrets.check_absent("The client_id", client.client_id)
        self._secrets.check_absent("The client", client)
        tested = TestedClient(client, self._secrets, self._is_ours)
        self._clients.append(tested)
        return tested

    def sent_in(self, chat_id: str) -> list[SentMessage]:
        return [sent for sent in self.fake.sent if sent["chat_id"] == chat_id]

    def texts_in(self, chat_id: str) -> list[str]:
        return [sent["text"] for sent in self.sent_in(chat_id)]

    async def end(self) -> None:
        await asyncio.gather(*(client.stop() for client in self._clients))

    def _is_ours(self, ctx: MessageContext) -> bool:
        return ctx.chat_id in self._chats
