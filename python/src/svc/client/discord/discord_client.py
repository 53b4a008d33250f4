"""Discord: direct messages, and messages in servers that mention the bot or reply to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from svc.client.base import BaseClient, Message, MessageContext, Question, reply_images, reply_text
from svc.client.discord.arrivals import Arrival, Arrivals
from svc.client.discord.bot_token import discord_bot_id
from svc.client.discord.buttons import read_button
from svc.client.discord.channel import Channel
from svc.client.discord.discord_api import USER_AGENT, DiscordApi
from svc.client.discord.gateway import Gateway
from svc.client.discord.gateway_connection import GatewayEvent
from svc.client.discord.gateway_session import GatewaySession, read_session
from svc.client.discord.read_message import is_for_bot, read_message, read_press
from svc.client.exchange import open_http
from svc.client.lifetime import ClientStoppedError, Lifetime

if TYPE_CHECKING:
    import httpx2

#: The longest interval between two stored cursors and lease renewals.
_RECEIVE_TIME = 20.0
#: Discord's numbers of interactions.
_COMPONENT_INTERACTION = 3
_DEFERRED_UPDATE = 6


@dataclass(frozen=True, slots=True)
class _Connection:
    http: "httpx2.AsyncClient"
    api: DiscordApi
    gateway: Gateway
    arrivals: Arrivals

    async def close(self) -> None:
        await self.gateway.stop()
        await self.http.aclose()


class DiscordClient(BaseClient):
    """A Discord bot as a client of an agent.

    The cursor is the gateway's session, so a restart resumes the session, and Discord sends the messages since then, as
    long as it keeps the session.

    Args:
        bot_token: The token, shown once on the page Bot of https://discord.com/developers/applications.
        api_url: Address of the API.

    Raises:
        ValueError: for an invalid option; no message holds the token
    """

    def __init__(self, bot_token: str, *, api_url: str = "https://discord.com/api/v10") -> None:
        self._bot_id = discord_bot_id(bot_token)
        self._bot_token = bot_token
        if urlsplit(api_url).scheme not in ("http", "https"):
            raise ValueError("api_url has to be an address that begins with https:// or http://")
        self._api_url = api_url
        self._lifetime = Lifetime(self.client_id)
        self._connection: _Connection | None = None

    @property
    def client_id(self) -> str:
        return f"discord-{self._bot_id}"

    async def start(self) -> None:
        await self.stop()
        self._lifetime = Lifetime(self.client_id)
        http = open_http({"user-agent": USER_AGENT})
        api = DiscordApi(http, api_url=self._api_url, bot_token=self._bot_token, client_id=self.client_id)
        arrivals = Arrivals()
        gateway = Gateway(
            api=api,
            client_id=self.client_id,
            bot_token=self._bot_token,
            session=read_session(self.cursor),
            on_event=lambda event, session: self._on_event(event, session, api, arrivals),
            on_refused=arrivals.fail,
        )
        self._connection = connection = _Connection(http, api, gateway, arrivals)
        try:
            async with self._lifetime.scope():
                await gateway.start()
        except BaseException:
            await connection.close()
            self._connection = None
            raise

    async def stop(self) -> None:
        await self._lifetime.end()
        if self._connection:
            await self._connection.close()

    async def receive_message(self) -> MessageContext | None:
        connection = self._connected
        arrivals = connection.arrivals
        try:
            async with self._lifetime.scope():
                await arrivals.wait(_RECEIVE_TIME)
                while arrival := arrivals.first:
                    ctx = await self._read(arrival, connection.http)
                    arrivals.remove_first()
                    self.cursor = arrival.session.to_cursor()
                    if ctx:
                        return ctx
                arrivals.raise_if_refused()
        except ClientStoppedError:
            pass
        return None

    async def send_message(self, ctx: MessageContext, reply_messages: Sequence[Message]) -> None:
        channel = self._channel(ctx)
        async with self._lifetime.scope():
            await channel.reply(reply_text(reply_messages), reply_images(reply_messages))

    async def set_typing(self, ctx: MessageContext) -> None:
        channel = self._channel(ctx)
        async with self._lifetime.scope():
            await channel.show_typing()

    async def show_partial(self, ctx: MessageContext, text: str) -> object:
        channel = self._channel(ctx)
        async with self._lifetime.scope():
            return await channel.show_partial(text)

    async def ask_approval(self, ctx: MessageContext, question: Question) -> object:
        channel = self._channel(ctx)
        async with self._lifetime.scope():
            return await channel.ask(question)

    async def end_question(self, ctx: MessageContext, shown: object, text: str) -> None:
        channel = self._channel(ctx)
        async with self._lifetime.scope():
            await channel.end_question(shown, text)

    @property
    def _connected(self) -> _Connection:
        if self._connection is None:
            raise RuntimeError(f"{self.client_id} is not started: await start() first")
        return self._connection

    def _channel(self, ctx: MessageContext) -> Channel:
        return Channel(self._connected.api, ctx)

    async def _read(self, arrival: Arrival, http: "httpx2.AsyncClient") -> MessageContext | None:
        if arrival.press:
            return read_press(arrival.press)
        return await read_message(arrival.message, self._bot_id, http) if arrival.message else None

    def _on_event(self, event: GatewayEvent, session: GatewaySession, api: DiscordApi, arrivals: Arrivals) -> None:
        data = event["d"]
        if event["t"] == "MESSAGE_CREATE" and is_for_bot(data, self._bot_id):
            arrivals.push(Arrival(session, message=data))
        elif event["t"] == "INTERACTION_CREATE" and data["type"] == _COMPONENT_INTERACTION and read_button(data):
            arrivals.push(Arrival(session, press=data))
            # Discord shows a failed button after 3 seconds, so the answer does not wait for the agent.
            answer = api.answer_press(data["id"], data["token"], {"type": _DEFERRED_UPDATE})
            self._lifetime.run_in_background(answer)
        else:
            arrivals.push(Arrival(session))
