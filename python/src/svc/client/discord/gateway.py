"""A gateway session that outlives its connections: a lost connection is replaced, and Discord sends the events since
then.

Units: seconds; waits with full jitter.
Errors: ``start`` raises, or ``on_refused`` is called later, when Discord refuses the bot.
"""

import asyncio
from asyncio import sleep
from collections.abc import Callable

from svc.client.discord.discord_api import DiscordApi, DiscordUnavailableError
from svc.client.discord.gateway_connection import GatewayConnection, GatewayEvent
from svc.client.discord.gateway_session import GatewaySession
from svc.client.discord.refusals import refusal_of
from svc.client.retry_wait import retry_wait

#: Invalid sequence, and a session that timed out.
_SESSION_ENDED_CODES = (4007, 4009)
#: After this many failures the general address is used: the session's own address may be gone, and both resume it.
_MAX_TRIES_OF_RESUME_URL = 3


class Gateway:
    """Keeps one session of a bot.

    Args:
        session: An earlier session, to be resumed.
    """

    def __init__(
        self,
        *,
        api: DiscordApi,
        client_id: str,
        bot_token: str,
        session: GatewaySession | None,
        on_event: Callable[[GatewayEvent, GatewaySession], None],
        on_refused: Callable[[Exception], None],
    ) -> None:
        self._api = api
        self._client_id = client_id
        self._bot_token = bot_token
        self._session = session
        self._handle_event = on_event
        self._handle_refusal = on_refused
        self._first_try = asyncio.Event()
        self._refusal: Exception | None = None
        self._running: asyncio.Task[None] | None = None
        self._failures = 0

    async def start(self) -> None:
        """Returns with the session, or after a try that Discord did not answer; retries then continue in the
        background.
        """
        self._running = asyncio.create_task(self._run())
        await self._first_try.wait()
        if self._refusal:
            raise self._refusal

    async def stop(self) -> None:
        if self._running:
            self._running.cancel()
            await asyncio.wait({self._running})

    async def _run(self) -> None:
        try:
            while True:
                wait = await self._connect()
                self._first_try.set()
                self._failures += 1
                await sleep(retry_wait(self._failures) if wait is None else wait)
        except Exception as error:
            self._refusal = error
            self._handle_refusal(error)
        finally:
            self._first_try.set()

    async def _connect(self) -> float | None:
        """One connection, from its opening to its end. Returns the wait that Discord asks for."""
        url, wait = await self._find_url()
        if url is None:
            return wait
        end = await GatewayConnection(
            url=url,
            bot_token=self._bot_token,
            session=self._session,
            on_event=self._on_event,
            on_alive=self._on_alive,
        ).run()
        refusal = refusal_of(end.code, self._client_id)
        if refusal:
            raise refusal
        self._session = None if end.code in _SESSION_ENDED_CODES else end.session
        return end.wait

    def _on_event(self, event: GatewayEvent, session: GatewaySession) -> None:
        self._session = session
        self._handle_event(event, session)
        if event["t"] in ("READY", "RESUMED"):
            self._first_try.set()

    def _on_alive(self) -> None:
        self._failures = 0

    async def _find_url(self) -> tuple[str | None, float | None]:
        """An address, or None with the wait that Discord asks for."""
        if self._session and self._failures < _MAX_TRIES_OF_RESUME_URL:
            return self._session.resume_url, None
        try:
            bot = await self._api.send("GET", "/gateway/bot", tries=1)
        except DiscordUnavailableError as failure:
            return None, failure.wait
        limit = bot["session_start_limit"]
        # A bot that opens more sessions than its daily 1,000 gets its token revoked.
        if self._session or limit["remaining"] > 0:
            return bot["url"], None
        return None, limit["reset_after"] / 1000
