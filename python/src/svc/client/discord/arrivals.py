"""Messages and presses from the gateway that ``receive_message`` has not returned yet."""

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import dataclass

from svc.client.discord.gateway_session import GatewaySession


@dataclass(frozen=True, slots=True)
class Arrival:
    """An event."""

    #: The cursor after this event was returned.
    session: GatewaySession
    #: The event's data, if it is for the bot.
    message: dict[str, object] | None = None
    press: dict[str, object] | None = None

    @property
    def is_for_us(self) -> bool:
        return self.message is not None or self.press is not None


class Arrivals:
    """Events in their order."""

    def __init__(self) -> None:
        self._waiting: deque[Arrival] = deque()
        self._session: str | None = None
        self._news = asyncio.Event()
        self._refusal: Exception | None = None

    @property
    def first(self) -> Arrival | None:
        return self._waiting[0] if self._waiting else None

    def push(self, arrival: Arrival) -> None:
        """Adds an event.

        Events without a message only advance the cursor, so the last of them is enough. The cursor of a new session is
        stored at once.
        """
        is_new_session = arrival.session.session != self._session
        self._session = arrival.session.session
        if self._waiting and not self._waiting[-1].is_for_us and not arrival.is_for_us:
            self._waiting.pop()
        self._waiting.append(arrival)
        if arrival.is_for_us or is_new_session:
            self._news.set()

    def remove_first(self) -> None:
        self._waiting.popleft()
        if not self._waiting and not self._refusal:
            self._news.clear()

    def fail(self, refusal: Exception) -> None:
        self._refusal = refusal
        self._news.set()

    def raise_if_refused(self) -> None:
        if self._refusal:
            raise self._refusal

    async def wait(self, seconds: float) -> None:
        """Returns when a message or a cursor can be returned, or after the longest wait."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
