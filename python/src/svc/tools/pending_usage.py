"""Reports of tokens that wait for the next request of their session, which carries them.

Units: sent alone after 2 s without a request.
Errors: INVALID_REQUEST for an invalid report. A report whose request fails is kept: the service counts its id once.
"""

import asyncio
import contextlib
import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from svc.errors import SvcError
from svc.protocol.usage import (
    MAX_MODEL_CHARS,
    MAX_USAGE_CHARS,
    MAX_USAGE_REPORTS,
    MAX_USAGE_TOKENS,
    USAGE_HEADER,
    write_report,
)

#: Sends a request with further headers.
Send = Callable[[dict[str, str]], Awaitable[object]]

_SEND_ALONE_SECONDS = 2
#: The oldest above this number are dropped: the service has been out of reach for long.
_MAX_KEPT = 100


class PendingUsage:
    """The reports of one session."""

    def __init__(self, send_alone: Send) -> None:
        """Args: send_alone: sends a request that has nothing but the reports."""
        self._send_alone = send_alone
        #: Reports as items of the header.
        self._items: list[str] = []
        self._alone: asyncio.Task[None] | None = None

    def add(self, model: str, input_tokens: int, output_tokens: int, cached_tokens: int | None) -> None:
        """Keeps a report for the next request."""
        if not isinstance(model, str) or not model:
            raise _invalid("model is the name of the model")
        cached = 0 if cached_tokens is None else cached_tokens
        counts = {"input_tokens": input_tokens, "output_tokens": output_tokens, "cached_tokens": cached}
        for name, tokens in counts.items():
            if isinstance(tokens, bool) or not isinstance(tokens, int) or not 0 <= tokens <= MAX_USAGE_TOKENS:
                raise _invalid(f"{name} is a whole number from 0 to {MAX_USAGE_TOKENS}, not {tokens!r}")
        if cached > input_tokens:
            raise _invalid("cached_tokens is a part of input_tokens, so it cannot be more")
        name = re.sub(r"[^\x20-\x7e]", "?", model[:MAX_MODEL_CHARS])
        self._keep(
            [*self._items, write_report(name, secrets.token_hex(16), input_tokens, output_tokens, cached_tokens)]
        )
        if self._alone is None or self._alone.done():
            self._alone = asyncio.create_task(self._flush_later())

    async def send_with(self, send: Send) -> Any:
        """Sends a request of the session with as many reports as fit."""
        items = self._take()
        try:
            return await send({USAGE_HEADER: ", ".join(items)} if items else {})
        except BaseException:
            self._keep([*items, *self._items])
            raise

    async def flush(self) -> None:
        """Sends all reports now."""
        while self._items:
            await self.send_with(self._send_alone)

    async def _flush_later(self) -> None:
        await asyncio.sleep(_SEND_ALONE_SECONDS)
        # The next request of the session carries them.
        with contextlib.suppress(SvcError):
            await self.flush()

    def _keep(self, items: list[str]) -> None:
        self._items = items[-_MAX_KEPT:]

    def _take(self) -> list[str]:
        taken: list[str] = []
        chars = 0
        for item in self._items[:MAX_USAGE_REPORTS]:
            chars += len(item) + 2
            if chars > MAX_USAGE_CHARS:
                break
            taken.append(item)
        del self._items[: len(taken)]
        return taken


def _invalid(problem: str) -> SvcError:
    return SvcError("INVALID_REQUEST", f"report_usage: {problem}")
