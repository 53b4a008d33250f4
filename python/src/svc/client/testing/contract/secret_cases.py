"""Cases about credentials: errors, contexts and cursors must not hold any. All other cases check this too."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from svc.client.testing.contract.stage import Stage

#: Seconds until a request has been sent.
_UNDER_WAY = 0.1


async def _no_credential(stage: Stage) -> None:
    chat_id = stage.open_chat()
    refused = stage.client("wrong")
    await refused.error_of("start() with wrong credentials", refused.client.start())
    client = await stage.client().start()
    ctx = (await client.receive_until(await stage.say(chat_id)))[-1]
    for status in (400, 401, 403, 404):
        stage.fake.fault(status=status)
        name = f"send_message(), answered with {status},"
        await client.error_of(name, client.send_once(ctx, f"answer {status}"))
    stage.fake.fault(times=5, cut=True)
    await client.error_of("send_message() over a cut connection", client.send_once(ctx, "answer"))
    stage.fake.fault(times=5, status=502)
    await client.error_of("send_message(), answered with 502,", client.send_once(ctx, "answer"))
    stage.fake.fault(hang=1.0, cut=True)
    sending = asyncio.ensure_future(client.send_once(ctx, "last answer"))
    await asyncio.sleep(_UNDER_WAY)
    await client.stop()
    await client.error_of("send_message() that stop() ended", sending)


SECRET_CASES: Mapping[str, Callable[[Stage], Awaitable[None]]] = {
    "no error, context or cursor holds a credential": _no_credential,
}
