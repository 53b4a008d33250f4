"""X: receives the mentions of an account and posts replies."""

import re
import time
from asyncio import sleep
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from svc.client.base import BaseClient, Message, MessageContext, RefusedReply, reply_images, reply_text
from svc.client.exchange import open_http
from svc.client.lifetime import ClientStoppedError, Lifetime
from svc.client.x.mentions import Account, Mention, cursor_from, read_cursor, read_mentions
from svc.client.x.oauth import XCredentials
from svc.client.x.pictures import download_photos, upload_images
from svc.client.x.post_text import fit_post
from svc.client.x.x_api import XApi, XRefusedError

if TYPE_CHECKING:
    import httpx2

_SEND_TRIES = 5
_CREDENTIAL = re.compile(r"[\x21-\x7e]+")
_ACCESS_TOKEN = re.compile(r"([0-9]+)-.+")


@dataclass(frozen=True, slots=True)
class _Connection:
    http: "httpx2.AsyncClient"
    api: XApi
    account: Account
    #: The time at X, in seconds since 1970.
    started_at: float


class XClient(BaseClient):
    """An account of X as a client of an agent.

    The agent answers each public post that mentions the account, with one reply of at most 280 weighted characters. The
    cursor is the last mention, or the time of the first start.

    Args:
        api_key: "API Key" of the app. Also called consumer key.
        api_secret: "API Key Secret".
        access_token: "Access Token" of the account, with read and write permission: digits, a dash, letters.
        access_secret: "Access Token Secret".
        base_url: Address of the API.
        poll_seconds: Seconds between two requests for mentions, up to 86,400. Each request counts against X's limits
            and may cost money.

    Raises:
        ValueError: for an invalid option; no message holds a credential
    """

    def __init__(
        self,
        *,
        api_key: str,
        api_secret: str,
        access_token: str,
        access_secret: str,
        base_url: str = "https://api.x.com",
        poll_seconds: float = 60,
    ) -> None:
        self._credentials = XCredentials(api_key, api_secret, access_token, access_secret)
        self._user_id = _check(self._credentials)
        if not _is_http_address(base_url):
            raise ValueError("base_url must be an address with http or https. Leave it out for https://api.x.com")
        if not 0 < poll_seconds <= 86_400:
            raise ValueError("poll_seconds must be a number above 0, up to 86,400")
        self._base_url = base_url
        self._poll_seconds = poll_seconds
        self._lifetime = Lifetime(self.client_id)
        self._connection: _Connection | None = None
        #: Mentions that were read and are not yet returned.
        self._mentions: list[Mention] = []
        self._next_poll_at = 0.0

    @property
    def client_id(self) -> str:
        return f"x-{self._user_id}"

    async def start(self) -> None:
        await self.stop()
        self._lifetime, self._connection = Lifetime(self.client_id), None
        self._mentions, self._next_poll_at = [], 0.0
        http = open_http()
        api = XApi(http, self._credentials, self._base_url)
        try:
            async with self._lifetime.scope():
                me = await api.get("/2/users/me")
        except BaseException:
            await http.aclose()
            raise
        user_name = me.body.get("data", {}).get("username", "")
        self._connection = _Connection(http, api, Account(self._user_id, user_name), me.at)

    async def stop(self) -> None:
        await self._lifetime.end()
        if self._connection:
            await self._connection.http.aclose()

    async def receive_message(self) -> MessageContext | None:
        connection = self._connected
        # The agent stores the time of the first start before the first request, so that a crash during the request
        # loses no mention.
        if read_cursor(self.cursor) is None:
            self.cursor = cursor_from(connection.started_at)
            return None
        try:
            async with self._lifetime.scope():
                if not self._mentions:
                    await self._poll(connection)
                return await self._next_message(connection)
        except ClientStoppedError:
            return None

    async def send_message(self, ctx: MessageContext, reply_messages: Sequence[Message]) -> None:
        api = self._connected.api
        async with self._lifetime.scope():
            media_ids = await upload_images(api, reply_images(reply_messages), tries=_SEND_TRIES)
            body = {
                "text": fit_post(reply_text(reply_messages)),
                "reply": {"in_reply_to_tweet_id": ctx.message_id},
                **({"media": {"media_ids": media_ids}} if media_ids else {}),
            }
            try:
                await api.post("/2/tweets", body, tries=_SEND_TRIES)
            except XRefusedError as refusal:
                # X refuses a duplicate, so an earlier post went out and only its answer was lost.
                if not refusal.is_duplicate:
                    raise RefusedReply(str(refusal)) from None

    @property
    def _connected(self) -> _Connection:
        if self._connection is None:
            raise RuntimeError(f"{self.client_id} is not started: await start() first")
        return self._connection

    async def _poll(self, connection: _Connection) -> None:
        await sleep(max(0.0, self._next_poll_at - time.monotonic()))
        self._next_poll_at = time.monotonic() + self._poll_seconds
        cursor = read_cursor(self.cursor) or cursor_from(connection.started_at)
        self._mentions = await read_mentions(connection.api, connection.account, cursor)

    async def _next_message(self, connection: _Connection) -> MessageContext | None:
        """The cursor advances with each mention: a restart reads the unreturned mentions again."""
        while self._mentions:
            mention = self._mentions[0]
            photos = mention.photos if mention.is_for_us else ()
            images = await download_photos(connection.http, photos, self._base_url)
            self._mentions.pop(0)
            self.cursor = {"since_id": mention.id}
            if mention.is_for_us:
                return replace(mention.ctx, images=images)
        return None


def _check(credentials: XCredentials) -> str:
    """The account's id."""
    for credential in fields(credentials):
        value = getattr(credentials, credential.name)
        if not (isinstance(value, str) and _CREDENTIAL.fullmatch(value)):
            raise ValueError(
                f"{credential.name} must be a text without spaces. Copy it from the developer portal of X, "
                '"Keys and tokens"'
            )
    match = _ACCESS_TOKEN.fullmatch(credentials.access_token)
    if match is None:
        raise ValueError(
            'access_token must be digits, a dash and letters: the "Access Token" of OAuth 1.0a. A bearer token or a '
            'token of OAuth 2.0 does not work. Make one in the developer portal of X, "Keys and tokens"'
        )
    return match[1]


def _is_http_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
