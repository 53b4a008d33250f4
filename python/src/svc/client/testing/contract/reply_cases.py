"""Cases about replies."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from svc.client.base import MessageContext, RefusedReply
from svc.client.testing.contract.check import check, check_same
from svc.client.testing.contract.stage import Stage
from svc.client.testing.contract.tested_client import TestedClient

#: Above the limits of a message on Telegram (4,096) and Discord (2,000).
_LONG_WORDS = 1_200
#: The end of a cut text on a platform that allows one short reply.
_CUT = "…"


async def _right_chat(stage: Stage) -> None:
    client = await stage.client().start()
    contexts: list[MessageContext] = []
    for chat_id in (stage.open_chat(), stage.open_chat()):
        contexts += await client.receive_until(await stage.say(chat_id))
    for ctx in reversed(contexts):
        await client.reply(replace(ctx), f"answer to {ctx.message}")
    for ctx in contexts:
        check_same("The chat shows", stage.texts_in(ctx.chat_id), [f"answer to {ctx.message}"])


async def _after_a_restart(stage: Stage) -> None:
    first, ctx = await _received(stage)
    await first.stop()
    second = await stage.client().start(first.stored_cursor)
    await second.reply(replace(ctx), "answer")
    check_same("The chat shows", stage.texts_in(ctx.chat_id), ["answer"])


async def _once(stage: Stage) -> None:
    client, ctx = await _received(stage)
    stage.fake.fault(status=429, retry_after=1)
    stage.fake.fault(status=503)
    await client.reply(ctx, "answer")
    check_same("The chat shows", stage.texts_in(ctx.chat_id), ["answer"])


async def _long(stage: Stage) -> None:
    client, ctx = await _received(stage)
    text = " ".join(f"word-{index}" for index in range(_LONG_WORDS))
    await client.reply(ctx, text)
    shown = stage.texts_in(ctx.chat_id)
    is_cut = len(shown) == 1 and shown[0].endswith(_CUT)
    read = " ".join(shown).removesuffix(_CUT).strip()
    check(
        (read != "" and text.startswith(read)) if is_cut else read == text,
        f"A reply of {_LONG_WORDS} words has to arrive whole and in order, and the chat shows {len(shown)} messages "
        f"that begin with {[piece[:20] for piece in shown]}",
    )


async def _refused(stage: Stage) -> None:
    client, ctx = await _received(stage)
    stage.fake.fault(status=403)
    error = await client.error_of("send_message(), when the platform refuses,", client.send_once(ctx, "answer"))
    check(
        isinstance(error, RefusedReply),
        f"send_message() raised {type(error).__name__} ({error}). After a refusal for good it has to be a RefusedReply",
    )
    check_same("The chat shows", stage.texts_in(ctx.chat_id), [])


async def _received(stage: Stage) -> tuple[TestedClient, MessageContext]:
    client = await stage.client().start()
    return client, (await client.receive_until(await stage.say(stage.open_chat())))[-1]


REPLY_CASES: Mapping[str, Callable[[Stage], Awaitable[None]]] = {
    "a reply arrives in the chat of its message": _right_chat,
    "a reply goes out after a restart": _after_a_restart,
    "a reply is sent after 429 and 503, once": _once,
    "a long reply arrives whole and in order, or as one message that ends with …": _long,
    "a reply that the platform refuses (403) is a RefusedReply": _refused,
}
