"""The contract that every client keeps: ids, order, cursors, failures of the platform, replies, questions, ends.

Shape: each case runs on one fake platform, in separate chats. ``src/agent/testing/contract`` has the same cases.
Units: seconds.
"""

import asyncio
import json
import random
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, replace
from typing import Any
from urllib.parse import quote

import pytest

from svc.client.base import BaseClient, MessageContext, Question, RefusedReply, has_member
from tests.client.fake_platform import FakePlatform

#: The limit for a message, a start or a reply, also after a fault; long enough for a busy machine.
ANSWER_TIME = 15.0
#: The agent's limit for ``stop()``.
STOP_TIME = 5.0
#: The time until a request has been sent. A receive that ends earlier only makes the case weaker.
UNDER_WAY_TIME = 0.1
#: The agent's wait after a client returned None.
PAUSE = 0.05
#: The longest id of a question.
QUESTION_ID = "turn_0123456789abcdef01234567/12/3456789012345-"
WRITER, OTHER = "2000000102", "2000000103"
#: Above the limits of a message on Telegram (4,096) and Discord (2,000).
LONG_WORDS = 1_200

MakeClient = Callable[[str], BaseClient]


class Stage:
    """The fake platform as one case uses it: separate chats, and clients that are stopped at the end."""

    def __init__(self, make: MakeClient, fake: FakePlatform) -> None:
        self.fake = fake
        self._make = make
        self._clients: list[WatchedClient] = []
        self._chats: set[str] = set()
        self._said = 0
        options = [*fake.client_options.values(), *fake.wrong_credentials.values()]
        texts = {fake.secret, *(text for text in options if isinstance(text, str) and "://" not in text)}
        self._secrets = texts | {quote(text, safe="") for text in texts}

    def open_chat(self) -> str:
        """Every platform accepts numbers as ids."""
        chat_id = str(random.SystemRandom().randrange(2**32, 2**47))
        self._chats.add(chat_id)
        return chat_id

    def say(self, chat_id: str, **message: Any) -> str:
        """Writes as a person. Returns the text, which is different each time."""
        self._said += 1
        text = f"message {self._said} in {chat_id}"
        self.fake.say(text, chat_id=chat_id, **message)
        return text

    def client(self, credentials: str = "right") -> "WatchedClient":
        client = WatchedClient(self._make(credentials), self)
        self._clients.append(client)
        return client

    def is_ours(self, ctx: MessageContext) -> bool:
        return ctx.chat_id in self._chats

    def sent_in(self, chat_id: str) -> list[dict[str, Any]]:
        return [sent for sent in self.fake.sent if sent["chat_id"] == chat_id]

    def texts_in(self, chat_id: str) -> list[str]:
        return [sent["text"] for sent in self.sent_in(chat_id)]

    def check_absent(self, what: str, value: object) -> None:
        """Fails if a credential is in a value, or in the printable parts of an error."""
        shown = _shown(value) if isinstance(value, BaseException) else repr(value)
        assert not any(secret in shown for secret in self._secrets), f"{what} holds a credential"

    async def end(self) -> None:
        for client in self._clients:
            await client.stop()


class WatchedClient:
    """A client, called in the same way as by the agent. Its results and errors are searched for credentials."""

    def __init__(self, client: BaseClient, stage: Stage) -> None:
        self.client = client
        self._stage = stage

    @property
    def stored_cursor(self) -> Any:
        """The cursor in the form that another process reads."""
        return json.loads(json.dumps(self.client.cursor))

    async def start(self, cursor: object = None) -> "WatchedClient":
        self.client.cursor = cursor
        await self._watched("start()", self.client.start(), ANSWER_TIME)
        return self

    async def stop(self) -> None:
        await self._watched("stop()", self.client.stop(), STOP_TIME)

    async def error_of(self, name: str, work: Awaitable[object]) -> Exception:
        try:
            async with asyncio.timeout(ANSWER_TIME):
                await work
        except TimeoutError as error:
            raise AssertionError(f"{name} did not end") from error
        except Exception as error:
            self._stage.check_absent(f"The error of {name}", error)
            return error
        raise AssertionError(f"{name} has to raise, and returned")

    async def receive(self) -> MessageContext:
        give_up_at = time.monotonic() + ANSWER_TIME
        while True:
            left = give_up_at - time.monotonic()
            ctx: MessageContext | None = await self._watched("receive_message()", self.client.receive_message(), left)
            self._check_stored("The cursor", self.client.cursor)
            if ctx:
                self._check_stored("The context", asdict(ctx))
                if self._stage.is_ours(ctx):
                    return ctx
            else:
                await asyncio.sleep(PAUSE)

    async def receive_until(self, text: str) -> list[MessageContext]:
        """Receives all messages up to one with this text. A repeated message must arrive before it."""
        received = [await self.receive()]
        while received[-1].message != text:
            received.append(await self.receive())
        return received

    async def receive_texts(self, last: str) -> list[str]:
        return [ctx.message for ctx in await self.receive_until(last)]

    async def reply(self, ctx: MessageContext, text: str) -> None:
        """Sends like the agent: retries after any error except RefusedReply."""
        async with asyncio.timeout(ANSWER_TIME):
            while True:
                try:
                    await self.send_once(ctx, text)
                    return
                except RefusedReply:
                    raise
                except Exception as error:
                    self._stage.check_absent("The error of send_message()", error)
                    await asyncio.sleep(PAUSE)

    async def send_once(self, ctx: MessageContext, text: str) -> None:
        await self.client.send_message(ctx, [{"role": "assistant", "content": text}])

    async def shown(self, name: str, showing: Awaitable[Any]) -> Any:
        """The result of ``ask_approval`` or ``show_partial`` in the form that another process reads."""
        value = await self._watched(name, showing, ANSWER_TIME)
        self._check_stored(f"The result of {name}", value)
        return json.loads(json.dumps(value))

    async def _watched(self, name: str, work: Awaitable[Any], seconds: float) -> Any:
        """Runs work that must not fail."""
        try:
            async with asyncio.timeout(seconds):
                return await work
        except TimeoutError as error:
            raise AssertionError(f"{name} did not end in {seconds:.0f} s") from error
        except Exception as error:
            self._stage.check_absent(f"The error of {name}", error)
            raise

    def _check_stored(self, what: str, value: Any) -> None:
        assert json.loads(json.dumps(value)) == value, f"{what} is not JSON"
        self._stage.check_absent(what, value)


def _shown(error: BaseException) -> str:
    """The printable parts of an error and of its causes, with the variables of its frames."""
    texts = []
    chain: BaseException | None = error
    while chain is not None:
        frames = traceback.TracebackException.from_exception(chain, capture_locals=True)
        texts += [repr(chain), str(chain), repr(vars(chain)), *frames.format()]
        chain = chain.__cause__ or chain.__context__
    return "\n".join(texts)


@asynccontextmanager
async def stage_on(make: MakeClient, fake: FakePlatform) -> AsyncIterator[Stage]:
    stage = Stage(make, fake)
    try:
        yield stage
    finally:
        await stage.end()


async def id_is_known_before_the_start(stage: Stage) -> None:
    one, other = stage.client(), stage.client()
    client_id = one.client.client_id
    assert client_id
    assert other.client.client_id == client_id
    stage.check_absent("The client id", client_id)
    stage.check_absent("The client", one.client)
    await one.start()
    assert one.client.client_id == client_id


async def message_has_chat_user_text_and_id(stage: Stage) -> None:
    client = await stage.client().start()
    chat_id = stage.open_chat()
    text = stage.say(chat_id, user_id=WRITER)
    ctx = await client.receive()
    assert (ctx.chat_id, ctx.user_id, ctx.message) == (chat_id, WRITER, text)
    assert ctx.message_id


async def messages_of_a_chat_come_in_order_with_ids_of_their_own(stage: Stage) -> None:
    client = await stage.client().start()
    chats = [stage.open_chat(), stage.open_chat()]
    said: dict[str, list[str]] = {chat_id: [] for chat_id in chats}
    for _ in range(3):
        for chat_id in chats:
            said[chat_id].append(stage.say(chat_id))
    received = [await client.receive() for _ in range(6)]
    for chat_id in chats:
        assert [ctx.message for ctx in received if ctx.chat_id == chat_id] == said[chat_id]
    assert len({ctx.message_id for ctx in received}) == 6


async def message_delivered_twice_has_one_id(stage: Stage) -> None:
    client = await stage.client().start()
    chat_id = stage.open_chat()
    text = stage.say(chat_id, twice=True)
    *copies, _ = await client.receive_until(stage.say(chat_id))
    assert {ctx.message for ctx in copies} == {text}
    assert len({ctx.message_id for ctx in copies}) == 1


async def new_client_continues_at_the_cursor(stage: Stage) -> None:
    chat_id = stage.open_chat()
    first = await stage.client().start()
    taken, *waiting = [stage.say(chat_id) for _ in range(3)]
    assert await first.receive_texts(taken) == [taken]
    await first.stop()
    missed = stage.say(chat_id)

    second = await stage.client().start(first.stored_cursor)
    assert await second.receive_texts(missed) == [*waiting, missed]
    await second.stop()
    third = await stage.client().start(second.stored_cursor)
    last = stage.say(chat_id)
    assert await third.receive_texts(last) == [last]


async def message_comes_again_when_its_cursor_was_not_stored(stage: Stage) -> None:
    chat_id = stage.open_chat()
    first = await stage.client().start()
    await first.receive_until(stage.say(chat_id))
    stored = first.stored_cursor
    text = stage.say(chat_id)
    ctx = (await first.receive_until(text))[0]
    await first.stop()

    second = await stage.client().start(stored)
    assert (await second.receive_until(text))[0] == ctx


async def client_that_was_stopped_starts_again(stage: Stage) -> None:
    chat_id = stage.open_chat()
    client = await stage.client().start()
    await client.receive_until(stage.say(chat_id))
    await client.stop()
    missed = stage.say(chat_id)
    await client.start(client.stored_cursor)
    assert await client.receive_texts(missed) == [missed]


async def cancelled_receive_loses_nothing(stage: Stage) -> None:
    """Cancels at many moments: during the wait, during the delivery of a message, and while the message is read."""
    chat_id = stage.open_chat()
    client = await stage.client().start()
    await client.receive_until(stage.say(chat_id))
    texts = []
    received: list[str] = []
    for wait in (0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05):
        texts.append(stage.say(chat_id))
        before = client.stored_cursor
        receiving = asyncio.create_task(client.client.receive_message())
        await asyncio.sleep(wait)
        receiving.cancel()
        try:
            ctx = await receiving
        except asyncio.CancelledError:
            assert client.stored_cursor == before
        else:
            received += [ctx.message] if ctx else []
    while len(received) < len(texts):
        received.append((await client.receive()).message)
    assert received == texts


async def start_waits_for_a_platform_that_fails(stage: Stage) -> None:
    chat_id = stage.open_chat()
    stage.fake.fault(cut=True)
    stage.fake.fault(status=503)
    client = await stage.client().start()

    async def write() -> None:
        # The client may still be connecting, and a platform need not keep earlier messages.
        while True:
            stage.say(chat_id)
            await asyncio.sleep(0.25)

    writing = asyncio.create_task(write())
    await client.receive()
    writing.cancel()


def survives(*faults: dict[str, Any]) -> Callable[[Stage], Awaitable[None]]:
    """No message is lost or repeated. The second fault is for a gateway; other platforms ignore it."""

    async def case(stage: Stage) -> None:
        chat_id = stage.open_chat()
        client = await stage.client().start()
        await client.receive_until(stage.say(chat_id))
        for fault in faults:
            stage.fake.fault(**fault)
        texts = [stage.say(chat_id) for _ in range(2)]
        assert await client.receive_texts(texts[-1]) == texts
        after = stage.say(chat_id)
        (ctx,) = await client.receive_until(after)
        await client.reply(ctx, f"answer to {after}")
        assert stage.texts_in(chat_id) == [f"answer to {after}"]

    return case


async def reply_arrives_in_the_chat_of_its_message(stage: Stage) -> None:
    client = await stage.client().start()
    contexts = []
    for chat_id in (stage.open_chat(), stage.open_chat()):
        contexts += await client.receive_until(stage.say(chat_id))
    for ctx in reversed(contexts):
        await client.reply(replace(ctx), f"answer to {ctx.message}")
    for ctx in contexts:
        assert stage.texts_in(ctx.chat_id) == [f"answer to {ctx.message}"]


async def reply_goes_out_after_a_restart(stage: Stage) -> None:
    chat_id = stage.open_chat()
    first = await stage.client().start()
    ctx = (await first.receive_until(stage.say(chat_id)))[-1]
    await first.stop()
    second = await stage.client().start(first.stored_cursor)
    await second.reply(replace(ctx), "answer")
    assert stage.texts_in(chat_id) == ["answer"]


async def reply_is_sent_after_429_and_503_once(stage: Stage) -> None:
    chat_id = stage.open_chat()
    client = await stage.client().start()
    ctx = (await client.receive_until(stage.say(chat_id)))[-1]
    stage.fake.fault(status=429, retry_after=1)
    stage.fake.fault(status=503)
    await client.reply(ctx, "answer")
    assert stage.texts_in(chat_id) == ["answer"]


async def long_reply_arrives_whole_or_ends_with_an_ellipsis(stage: Stage) -> None:
    chat_id = stage.open_chat()
    client = await stage.client().start()
    ctx = (await client.receive_until(stage.say(chat_id)))[-1]
    text = " ".join(f"word-{index}" for index in range(LONG_WORDS))
    await client.reply(ctx, text)
    shown = stage.texts_in(chat_id)
    if len(shown) == 1 and shown[0].endswith("…"):
        assert len(shown[0]) > 1
        assert text.startswith(shown[0][:-1])
    else:
        assert " ".join(shown) == text


async def reply_that_is_refused_is_a_refused_reply(stage: Stage) -> None:
    chat_id = stage.open_chat()
    client = await stage.client().start()
    ctx = (await client.receive_until(stage.say(chat_id)))[-1]
    stage.fake.fault(status=403)
    error = await client.error_of("send_message()", client.send_once(ctx, "answer"))
    assert isinstance(error, RefusedReply)
    assert stage.texts_in(chat_id) == []


async def question_shows_two_buttons_and_a_press_comes_back(stage: Stage) -> None:
    chat_id = stage.open_chat()
    client = await stage.client().start()
    if not has_member(client.client, "ask_approval"):
        pytest.skip("This client has no buttons")
    ctx = (await client.receive_until(stage.say(chat_id, user_id=WRITER)))[-1]
    for button, user_id in (("yes", WRITER), ("no", OTHER)):
        question = Question(id=f"{QUESTION_ID}{button}", text=f"May I, {button}?")
        shown = await client.shown("ask_approval()", client.client.ask_approval(ctx, question))
        asked = stage.sent_in(chat_id)[-1]
        assert (asked["text"], len(asked["buttons"])) == (question.text, 2)
        stage.fake.press(button, chat_id=chat_id, user_id=user_id)
        press = await client.receive()
        assert press.answer
        assert (press.chat_id, press.user_id) == (chat_id, user_id)
        assert (press.answer.question_id, press.answer.approved) == (question.id, button == "yes")
        await client.client.end_question(ctx, shown, f"Answered: {button}.")
    assert [(sent["text"], sent.get("buttons", [])) for sent in stage.sent_in(chat_id)] == [
        ("Answered: yes.", []),
        ("Answered: no.", []),
    ]


async def text_that_grows_ends_as_one_message(stage: Stage) -> None:
    chat_id = stage.open_chat()
    client = await stage.client().start()
    if not has_member(client.client, "show_partial"):
        pytest.skip("This client shows whole replies")
    ctx = (await client.receive_until(stage.say(chat_id)))[-1]
    for text in ("An answer", "An answer that grows"):
        ctx = replace(ctx, partial=await client.shown("show_partial()", client.client.show_partial(ctx, text)))
        assert stage.texts_in(chat_id) == [text]
    await client.reply(ctx, "An answer that has grown")
    assert stage.texts_in(chat_id) == ["An answer that has grown"]


async def settled(stage: Stage) -> WatchedClient:
    """A started client that has received all messages."""
    client = await stage.client().start()
    await client.receive_until(stage.say(stage.open_chat()))
    return client


async def stop_ends_a_receive_that_waits(stage: Stage) -> None:
    client = await settled(stage)
    pending = asyncio.create_task(client.client.receive_message())
    await asyncio.sleep(UNDER_WAY_TIME)
    await client.stop()
    async with asyncio.timeout(STOP_TIME):
        assert await pending is None


async def receive_ends_with_its_task(stage: Stage) -> None:
    client = await settled(stage)
    pending = asyncio.create_task(client.client.receive_message())
    await asyncio.sleep(UNDER_WAY_TIME)
    pending.cancel()
    async with asyncio.timeout(STOP_TIME):
        with suppress(asyncio.CancelledError):
            await pending


async def stop_works_without_a_start_and_twice(stage: Stage) -> None:
    client = stage.client()
    await client.stop()
    await client.start()
    await client.stop()
    await client.stop()


async def wrong_credentials_raise_at_the_start_in_words(stage: Stage) -> None:
    client = stage.client("wrong")
    error = await client.error_of("start()", client.client.start())
    assert len(str(error).split()) >= 3


async def credentials_that_are_revoked_later_end_receiving_in_words(stage: Stage) -> None:
    client = await settled(stage)
    stage.fake.fault(status=401)
    stage.fake.fault(close=4004)

    async def receive_all() -> None:
        while True:
            await client.client.receive_message()
            await asyncio.sleep(PAUSE)

    error = await client.error_of("receive_message()", receive_all())
    assert len(str(error).split()) >= 3


async def no_error_holds_a_credential(stage: Stage) -> None:
    chat_id = stage.open_chat()
    refused = stage.client("wrong")
    await refused.error_of("start()", refused.client.start())
    client = await stage.client().start()
    ctx = (await client.receive_until(stage.say(chat_id)))[-1]
    for status in (400, 401, 403, 404):
        stage.fake.fault(status=status)
        await client.error_of("send_message()", client.send_once(ctx, f"answer {status}"))
    for fault in ({"cut": True}, {"status": 502}):
        stage.fake.fault(times=5, **fault)
        await client.error_of("send_message()", client.send_once(ctx, "answer"))
    stage.fake.fault(hang_ms=1_000, cut=True)
    sending = asyncio.create_task(client.send_once(ctx, "last answer"))
    await asyncio.sleep(UNDER_WAY_TIME)
    await client.stop()
    await client.error_of("send_message() that stop() ended", sending)


CASES: dict[str, Callable[[Stage], Awaitable[None]]] = {
    case.__name__: case
    for case in (
        id_is_known_before_the_start,
        message_has_chat_user_text_and_id,
        messages_of_a_chat_come_in_order_with_ids_of_their_own,
        message_delivered_twice_has_one_id,
        new_client_continues_at_the_cursor,
        message_comes_again_when_its_cursor_was_not_stored,
        client_that_was_stopped_starts_again,
        cancelled_receive_loses_nothing,
        start_waits_for_a_platform_that_fails,
        reply_arrives_in_the_chat_of_its_message,
        reply_goes_out_after_a_restart,
        reply_is_sent_after_429_and_503_once,
        long_reply_arrives_whole_or_ends_with_an_ellipsis,
        reply_that_is_refused_is_a_refused_reply,
        question_shows_two_buttons_and_a_press_comes_back,
        text_that_grows_ends_as_one_message,
        stop_ends_a_receive_that_waits,
        receive_ends_with_its_task,
        stop_works_without_a_start_and_twice,
        wrong_credentials_raise_at_the_start_in_words,
        credentials_that_are_revoked_later_end_receiving_in_words,
        no_error_holds_a_credential,
    )
} | {
    "a_cut_connection_loses_nothing": survives({"cut": True}, {"close": 1006}),
    "an_answer_that_is_lost_on_its_way_loses_nothing": survives({"cut": True, "done": True}, {"close": 1006}),
    "a_503_loses_nothing": survives({"status": 503}, {"close": 1006}),
    "a_rate_limit_loses_nothing": survives({"status": 429, "retry_after": 1}, {"close": 1006}),
    "a_connection_that_is_half_open_loses_nothing": survives({"hang_ms": 1_000, "cut": True}, {"silent": True}),
}
