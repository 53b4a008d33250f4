"""Cases about received messages."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from svc.client.testing.contract.check import check, check_same
from svc.client.testing.contract.stage import Stage


async def _id_is_known(stage: Stage) -> None:
    one, other = stage.client(), stage.client()
    client_id: object = one.client.client_id
    check(
        isinstance(client_id, str) and client_id != "",
        f"client_id has to be a text before start(), and is {client_id!r}",
    )
    check_same("A second client with the same credentials has the client_id", other.client.client_id, client_id)
    await one.start()
    check_same("After start() the client_id is", one.client.client_id, client_id)


async def _members(stage: Stage) -> None:
    client = await stage.client().start()
    chat_id, user_id = stage.open_chat(), "2000000102"
    text = await stage.say(chat_id, user_id=user_id)
    ctx = await client.receive()
    check_same("The context has", (ctx.chat_id, ctx.user_id, ctx.message), (chat_id, user_id, text))
    check(bool(ctx.message_id), f"message_id has to be a text, and is {ctx.message_id!r}")


async def _order(stage: Stage) -> None:
    client = await stage.client().start()
    said: dict[str, list[str]] = {stage.open_chat(): [], stage.open_chat(): []}
    for _ in range(3):
        for chat_id, texts in said.items():
            texts.append(await stage.say(chat_id))
    received = [await client.receive() for _ in range(6)]
    for chat_id, texts in said.items():
        check_same(
            "The messages of one chat came as", [ctx.message for ctx in received if ctx.chat_id == chat_id], texts
        )
    check_same("The number of different message_ids is", len({ctx.message_id for ctx in received}), 6)


async def _twice(stage: Stage) -> None:
    client = await stage.client().start()
    chat_id = stage.open_chat()
    text = await stage.say(chat_id, twice=True)
    *copies, _ = await client.receive_until(await stage.say(chat_id))
    check({ctx.message for ctx in copies} == {text}, "A message that was delivered twice did not come first")
    ids = {str(ctx.message_id) for ctx in copies}
    check(
        len(ids) == 1,
        f"The copies of one message have the message_ids {' and '.join(ids)}: the agent would answer both",
    )


async def _cursor(stage: Stage) -> None:
    chat_id = stage.open_chat()
    first = await stage.client().start()
    taken, *waiting = [await stage.say(chat_id) for _ in range(3)]
    check_same("The first message is", await first.receive_texts(taken), [taken])
    await first.stop()
    missed = await stage.say(chat_id)

    second = await stage.client().start(first.stored_cursor)
    check_same("After the cursor of the first message came", await second.receive_texts(missed), [*waiting, missed])
    await second.stop()
    third = await stage.client().start(second.stored_cursor)
    last = await stage.say(chat_id)
    check_same("After the cursor of the last message came", await third.receive_texts(last), [last])


async def _lost_cursor(stage: Stage) -> None:
    chat_id = stage.open_chat()
    first = await stage.client().start()
    await first.receive_until(await stage.say(chat_id))
    stored = first.stored_cursor
    text = await stage.say(chat_id)
    ctx = (await first.receive_until(text))[0]
    await first.stop()

    second = await stage.client().start(stored)
    check_same("The message that came again is", (await second.receive_until(text))[0], ctx)


async def _second_start(stage: Stage) -> None:
    chat_id = stage.open_chat()
    client = await stage.client().start()
    await client.receive_until(await stage.say(chat_id))
    await client.stop()
    missed = await stage.say(chat_id)
    await client.start(client.stored_cursor)
    check_same("After the second start came", await client.receive_texts(missed), [missed])


async def _cancelled(stage: Stage) -> None:
    """Cancels at many moments: during the wait, during the delivery of a message, and while the message is read."""
    chat_id = stage.open_chat()
    client = await stage.client().start()
    await client.receive_until(await stage.say(chat_id))
    texts: list[str] = []
    received: list[str] = []
    for wait in (0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05):
        texts.append(await stage.say(chat_id))
        before = client.stored_cursor
        receiving = asyncio.ensure_future(client.client.receive_message())
        await asyncio.sleep(wait)
        receiving.cancel()
        try:
            ctx = await receiving
        except asyncio.CancelledError:
            check_same("After a receive that was cancelled the cursor is", client.stored_cursor, before)
        else:
            received += [ctx.message] if ctx else []
    while len(received) < len(texts):
        received.append((await client.receive()).message)
    check_same("After receives that were cancelled came", received, texts)


RECEIVE_CASES: Mapping[str, Callable[[Stage], Awaitable[None]]] = {
    "the id is known before the start, and belongs to the account": _id_is_known,
    "a message arrives with chat, user, text and id": _members,
    "messages of one chat arrive in order, each with an id of its own": _order,
    "a message that the platform delivers twice has one id": _twice,
    "a new client continues at the cursor": _cursor,
    "a message comes again when its cursor was not stored": _lost_cursor,
    "a client that was stopped starts again": _second_start,
    "a receive that is cancelled loses no message": _cancelled,
}
