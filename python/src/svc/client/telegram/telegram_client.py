"""Telegram: private chats, and messages in groups that mention the bot or reply to it."""

import math
from asyncio import sleep
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from svc.client.base import BaseClient, Message, MessageContext, Question, reply_images, reply_text
from svc.client.exchange import open_http
from svc.client.lifetime import ClientStoppedError, Lifetime
from svc.client.telegram.albums import Update, first_together, is_open_album
from svc.client.telegram.attachments import with_attachments
from svc.client.telegram.bot_token import telegram_bot_id
from svc.client.telegram.outbox import Outbox
from svc.client.telegram.questions import read_telegram_press
from svc.client.telegram.read_message import Bot, read_telegram_message
from svc.client.telegram.telegram_api import TelegramAccount, TelegramApi

if TYPE_CHECKING:
    import httpx2

#: The messages of an album arrive shortly after each other.
_ALBUM_WAIT = 0.5


@dataclass(frozen=True, slots=True)
class _Connection:
    http: "httpx2.AsyncClient"
    api: TelegramApi
    bot: Bot
    outbox: Outbox


class TelegramClient(BaseClient):
    """A Telegram bot as a client of an agent.

    The cursor is the offset of the next update. Telegram keeps updates for 24 hours, and forgets them only when a
    request confirms them, which this client does after the agent has taken them.

    Args:
        bot_token: The token from @BotFather, such as ``123456789:AAF…``.
        api_root: Address of a Bot API server.
        poll_seconds: Seconds that one request waits for messages, 1 to 50.

    Raises:
        ValueError: for an invalid option; no message holds the token
    """

    def __init__(self, bot_token: str, *, api_root: str = "https://api.telegram.org", poll_seconds: float = 30) -> None:
        self._client_id = f"telegram-{telegram_bot_id(bot_token)}"
        if not _is_http_address(api_root):
            raise ValueError("api_root has to be an address that begins with https:// or http://")
        if not 1 <= poll_seconds <= 50:
            raise ValueError(f"poll_seconds has to be from 1 to 50, and is {poll_seconds}")
        self._account = TelegramAccount(bot_token, api_root.rstrip("/"), poll_seconds, self._client_id)
        self._lifetime = Lifetime(self._client_id)
        self._connection: _Connection | None = None
        #: Received updates that the agent has not taken.
        self._received: list[Update] = []

    @property
    def client_id(self) -> str:
        return self._client_id

    async def start(self) -> None:
        await self.stop()
        self._lifetime, self._connection, self._received = Lifetime(self._client_id), None, []
        http = open_http()
        api = TelegramApi(http, self._account)
        try:
            async with self._lifetime.scope():
                me = await api.call("getMe")
                # Telegram refuses polls while a webhook is set.
                await api.call("deleteWebhook")
        except BaseException:
            await http.aclose()
            raise
        self._connection = _Connection(http, api, Bot(me["id"], me["username"]), Outbox(api))

    async def stop(self) -> None:
        await self._lifetime.end()
        if self._connection:
            await self._connection.http.aclose()

    async def receive_message(self) -> MessageContext | None:
        connection = self._connected
        try:
            async with self._lifetime.scope():
                if not self._received:
                    self._received = await self._poll(connection.api, self._account.poll_seconds)
                return await self._take_message(connection)
        except ClientStoppedError:
            return None

    async def send_message(self, ctx: MessageContext, reply_messages: Sequence[Message]) -> None:
        outbox = self._connected.outbox
        async with self._lifetime.scope():
            await outbox.send_reply(ctx, reply_text(reply_messages), reply_images(reply_messages))

    async def set_typing(self, ctx: MessageContext) -> None:
        outbox = self._connected.outbox
        async with self._lifetime.scope():
            await outbox.show_typing(ctx)

    async def show_partial(self, ctx: MessageContext, text: str) -> object:
        outbox = self._connected.outbox
        async with self._lifetime.scope():
            return await outbox.show_beginning(ctx, text)

    async def ask_approval(self, ctx: MessageContext, question: Question) -> object:
        outbox = self._connected.outbox
        async with self._lifetime.scope():
            return await outbox.ask(ctx, question)

    async def end_question(self, ctx: MessageContext, shown: object, text: str) -> None:
        outbox = self._connected.outbox
        async with self._lifetime.scope():
            await outbox.end_question(ctx, shown, text)

    @property
    def _connected(self) -> _Connection:
        if self._connection is None:
            raise RuntimeError(f"{self._client_id} is not started: await start() first")
        return self._connection

    async def _poll(self, api: TelegramApi, seconds: float) -> list[Update]:
        offset = {"offset": self.cursor} if type(self.cursor) is int else {}
        payload = {**offset, "timeout": math.ceil(seconds), "allowed_updates": ["message", "callback_query"]}
        updates: list[Update] = await api.call("getUpdates", payload)
        return updates

    async def _take_message(self, connection: _Connection) -> MessageContext | None:
        """Skips updates that need no answer. The updates of an album are taken only when all have arrived."""
        await self._complete_album(connection.api)
        while updates := first_together(self._received):
            ctx = await self._read(updates, connection)
            self._received = self._received[len(updates) :]
            self.cursor = updates[-1]["update_id"] + 1
            if ctx:
                return ctx
            await self._complete_album(connection.api)
        return None

    async def _complete_album(self, api: TelegramApi) -> None:
        """The same offset returns the same updates again, with all newer ones."""
        known = 0
        while is_open_album(self._received) and len(self._received) > known:
            known = len(self._received)
            await sleep(_ALBUM_WAIT)
            self._received = await self._poll(api, 0)

    async def _read(self, updates: Sequence[Update], connection: _Connection) -> MessageContext | None:
        press = updates[0].get("callback_query")
        if press:
            # Ends the button's loading state in the background.
            answer = connection.api.call("answerCallbackQuery", {"callback_query_id": press["id"]}, tries=1)
            self._lifetime.run_in_background(answer)
            return read_telegram_press(press)
        messages = [update["message"] for update in updates if "message" in update]
        read = read_telegram_message(messages, connection.bot)
        return await with_attachments(read, connection.api) if read else None


def _is_http_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and " " not in text and parts.port != 0
    except ValueError:
        return False
