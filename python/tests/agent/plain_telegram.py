"""The least of a Telegram client: text in private chats. Its cursor and its ids are those of every Telegram client, so
agents of both languages take over from each other.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx2

from svc.client.base import BaseClient, Message, MessageContext, reply_text


class PlainTelegram(BaseClient):
    def __init__(self, bot_token: str, api_root: str) -> None:
        self._client_id = f"telegram-{bot_token.partition(':')[0]}"
        self._http = httpx2.AsyncClient(base_url=f"{api_root}/bot{bot_token}/", timeout=40)
        self._received: list[Any] = []

    @property
    def client_id(self) -> str:
        return self._client_id

    async def start(self) -> None:
        self._received = []

    async def stop(self) -> None:
        await self._http.aclose()

    async def receive_message(self) -> MessageContext | None:
        if not self._received:
            self._received = await self._poll()
        if not self._received:
            return None
        update = self._received.pop(0)
        self.cursor = update["update_id"] + 1
        message = update["message"]
        return MessageContext(
            chat_id=str(message["chat"]["id"]),
            user_id=str(message["from"]["id"]),
            message=message["text"],
            message_id=f"{message['chat']['id']}/{message['message_id']}",
            address={"messageId": message["message_id"]},
        )

    async def send_message(self, ctx: MessageContext, reply_messages: Sequence[Message]) -> None:
        await self._call("sendMessage", chat_id=int(ctx.chat_id), text=reply_text(reply_messages))

    async def _poll(self) -> list[Any]:
        try:
            return list(await self._call("getUpdates", timeout=30, **({"offset": self.cursor} if self.cursor else {})))
        except httpx2.HTTPError:
            # Telegram answers 409 while it still holds the poll of a process that was killed.
            await asyncio.sleep(0.1)
            return []

    async def _call(self, method: str, **payload: Any) -> Any:
        response = await self._http.post(method, json=payload)
        response.raise_for_status()
        return response.json()["result"]
