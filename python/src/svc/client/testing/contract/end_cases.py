"""Cases about the end of a client: stopped, cancelled, or refused by the platform."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from svc.client.testing.contract.check import check
from svc.client.testing.contract.stage import Stage
from svc.client.testing.contract.tested_client import PAUSE, TestedClient
from svc.client.testing.contract.time_limit import STOP_TIME, in_time

_MIN_WORDS = 3
#: Seconds for a request to start. A receive that ends earlier only weakens the case.
_UNDER_WAY = 0.1


async def _stopped(stage: Stage) -> None:
    client = await _settled(stage)
    pending = asyncio.ensure_future(client.client.receive_message())
    await asyncio.sleep(_UNDER_WAY)
    await client.stop()
    # None and an error are both allowed at the end.
    with suppress(OSError, RuntimeError):
        await in_time(pending, STOP_TIME, "After stop() the waiting receive_message() did not end")


async def _cancelled(stage: Stage) -> None:
    client = await _settled(stage)
    pending = asyncio.ensure_future(client.client.receive_message())
    await asyncio.sleep(_UNDER_WAY)
    pending.cancel()
    ended, _ = await asyncio.wait((pending,), timeout=STOP_TIME)
    check(bool(ended), f"After its task was cancelled, receive_message() did not end in {STOP_TIME:g} s")


async def _stop_alone(stage: Stage) -> None:
    client = stage.client()
    await client.stop()
    await client.start()
    await client.stop()
    await client.stop()


async def _wrong(stage: Stage) -> None:
    client = stage.client("wrong")
    _check_words(await client.error_of("start() with wrong credentials", client.client.start()))


async def _revoked(stage: Stage) -> None:
    client = await _settled(stage)
    stage.fake.fault(status=401)
    stage.fake.fault(close=4004)
    _check_words(await client.error_of("receive_message() with revoked credentials", _receive_all(client)))


async def _settled(stage: Stage) -> TestedClient:
    """A started client that has received all messages."""
    client = await stage.client().start()
    await client.receive_until(await stage.say(stage.open_chat()))
    return client


async def _receive_all(tested: TestedClient) -> None:
    while True:
        await tested.client.receive_message()
        await asyncio.sleep(PAUSE)


def _check_words(error: Exception) -> None:
    check(
        len(str(error).split()) >= _MIN_WORDS,
        f"The error has to say what happened and what to do, and says {str(error)!r}",
    )


END_CASES: Mapping[str, Callable[[Stage], Awaitable[None]]] = {
    "stop() ends a receive that waits": _stopped,
    "a receive ends with its task": _cancelled,
    "stop() works without a start, and twice": _stop_alone,
    "wrong credentials reject the start in words": _wrong,
    "credentials that are revoked later end receiving in words": _revoked,
}
