"""Cases about failures of the platform: no message is lost or received twice."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from svc.client.testing.contract.check import check_same
from svc.client.testing.contract.stage import Stage
from svc.client.testing.fake_platform import FakeFault

_REPEAT = 0.25

#: Faults of the next request, and of the gateway's connection. A platform without a gateway ignores the second.
_FAILURES: Mapping[str, Sequence[FakeFault]] = {
    "a cut connection": ({"cut": True}, {"close": 1006}),
    "an answer that is lost on its way": ({"cut": True, "done": True}, {"close": 1006}),
    "an answer 503": ({"status": 503}, {"close": 1006}),
    "a rate limit (429)": ({"status": 429, "retry_after": 1}, {"close": 1006}),
    "a connection that is half open": ({"hang": 1.0, "cut": True}, {"silent": True}),
}


async def _start(stage: Stage) -> None:
    chat_id = stage.open_chat()
    stage.fake.fault(cut=True)
    stage.fake.fault(status=503)
    client = await stage.client().start()

    async def write() -> None:
        # The client may still be connecting, and a platform need not keep earlier messages.
        while True:
            await stage.say(chat_id)
            await asyncio.sleep(_REPEAT)

    writing = asyncio.ensure_future(write())
    try:
        await client.receive()
    finally:
        writing.cancel()


def _survive(faults: Sequence[FakeFault]) -> Callable[[Stage], Awaitable[None]]:
    async def case(stage: Stage) -> None:
        chat_id = stage.open_chat()
        client = await stage.client().start()
        await client.receive_until(await stage.say(chat_id))
        for fault in faults:
            stage.fake.fault(**fault)
        texts = [await stage.say(chat_id) for _ in range(2)]
        check_same("After the failure came", await client.receive_texts(texts[-1]), texts)
        after = await stage.say(chat_id)
        *others, ctx = await client.receive_until(after)
        check_same("Before the next message came", len(others), 0)
        await client.reply(ctx, f"answer to {after}")
        check_same("The chat shows", stage.texts_in(chat_id), [f"answer to {after}"])

    return case


FAILURE_CASES: Mapping[str, Callable[[Stage], Awaitable[None]]] = {
    "a start waits for a platform that fails": _start,
    **{f"{failure} loses no message, and none comes twice": _survive(faults) for failure, faults in _FAILURES.items()},
}
