"""Retries requests that are safe to retry, within the caller's time limit.

Rule: retries when the service cannot be reached, or refuses with ``retryable`` and ``retryAfterMs``. After any other
    error a retry would get the same answer, or the action may have run.
Units: seconds.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from svc.errors import SvcError
from svc.protocol.backoff import full_jitter

Answer = TypeVar("Answer")

_MAX_TRIES = 3
_FIRST_WAIT = 0.25
_LONGEST_WAIT = 1.0


async def with_retries(timeout: float, attempt: Callable[[float], Awaitable[Answer]]) -> Answer:
    """The answer of the first successful attempt. Each attempt gets the remaining seconds."""
    ends_at = time.monotonic() + timeout
    tries = 0
    while True:
        tries += 1
        try:
            return await attempt(ends_at - time.monotonic())
        except SvcError as error:
            wait = retry_delay(error, tries)
            if wait is None or time.monotonic() + wait >= ends_at:
                raise
            await asyncio.sleep(wait)
            # A busy process wakes up late.
            if time.monotonic() >= ends_at:
                raise


def retry_delay(error: SvcError, tries: int) -> float | None:
    """The wait in seconds; None for an error that is not retried."""
    if tries >= _MAX_TRIES or not error.retryable:
        return None
    if error.code != "SERVICE_UNREACHABLE" and error.retry_after is None:
        return None
    return (error.retry_after or 0.0) + full_jitter(tries, first=_FIRST_WAIT, longest=_LONGEST_WAIT)
