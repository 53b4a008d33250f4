"""The replies and questions of a bot on Telegram."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from svc.client.base import BaseClient, MessageContext, Question, RefusedReply
from svc.client.telegram import TelegramClient, telegram_api
from tests.client.fake_platform import PNG, FakePlatform, until
from tests.client.receiving import receive, receive_texts

GROUP = {"chat_id": "-1001", "is_private": False}
TWO_PIECES = f"{'a' * 4_000}\n\n{'b' * 3_000}"
QUESTION = Question(id="q" * 50, text="Delete the report?")


class Chat:
    """A chat in which a person wrote."""

    def __init__(self, fake: FakePlatform, client: BaseClient, ctx: MessageContext, message_id: str) -> None:
        self.fake, self.client, self.ctx, self.message_id = fake, client, ctx, message_id

    async def send(self, text: str, images: list[str] | None = None, partial: Any = None) -> None:
        await self.client.send_message(replace(self.ctx, partial=partial), reply(text, images))

    @property
    def sent(self) -> list[dict[str, Any]]:
        return self.fake.sent

    @property
    def kinds(self) -> list[str]:
        return ["image" if "images" in sent else sent["text"] for sent in self.sent]


OpenChat = Callable[..., Any]


@pytest.fixture
def open_chat(open_fake: Callable[..., FakePlatform], start_client: Any) -> OpenChat:
    async def open_one(**message: Any) -> Chat:
        fake = open_fake("telegram")
        client = await start_client(fake)
        message_id = fake.say("@svc_fake_bot hello", **message)
        return Chat(fake, client, await receive(client), message_id)

    return open_one


def reply(text: str, images: list[str] | None = None) -> list[dict[str, Any]]:
    picture = {"role": "tool", "tool_call_id": "call", "content": "a picture", "svc_images": images or []}
    return [picture, {"role": "assistant", "content": text}]


async def test_a_reply_in_a_private_chat(open_chat: OpenChat) -> None:
    chat = await open_chat()
    await chat.send("hi")
    assert chat.sent == [{"chat_id": "1001", "text": "hi"}]


async def test_a_reply_in_a_group_refers_to_the_message_which_may_be_deleted(open_chat: OpenChat) -> None:
    chat = await open_chat(**GROUP)
    await chat.send("hi")
    assert chat.sent == [{"chat_id": "-1001", "text": "hi", "reply_to": chat.message_id}]
    assert chat.fake.read("bodies")[0]["reply_parameters"]["allow_sending_without_reply"] is True


async def test_a_reply_in_a_topic_stays_in_it(open_chat: OpenChat) -> None:
    chat = await open_chat(chat_id="-1001/7", is_private=False)
    partial = await chat.client.show_partial(chat.ctx, "h")
    await chat.send("hi", [PNG], partial)
    assert [(sent["chat_id"], sent["text"]) for sent in chat.sent] == [("-1001/7", "hi"), ("-1001/7", "")]
    assert chat.sent[0]["edits"] == 1


async def test_telegram_shows_no_preview_and_parses_no_markup_of_a_reply(open_chat: OpenChat) -> None:
    chat = await open_chat()
    partial = await chat.client.show_partial(chat.ctx, "https://example.com/?q=secret")
    await chat.send("https://example.com/?q=*secret*", partial=partial)
    bodies = chat.fake.read("bodies")
    assert [body["link_preview_options"] for body in bodies] == [{"is_disabled": True}] * 2
    assert not any("parse_mode" in body for body in bodies)


async def test_a_long_reply_is_sent_in_pieces_and_only_the_first_refers_to_the_message(open_chat: OpenChat) -> None:
    chat = await open_chat(**GROUP)
    await chat.send(TWO_PIECES + "💥" * 2_000)
    lengths = [len(sent["text"].encode("utf-16-le")) // 2 for sent in chat.sent]
    assert [sent["text"][0] for sent in chat.sent] == ["a", "b", "💥"]
    assert lengths == [4_000, 4_096, 2_904]
    assert [sent.get("reply_to") for sent in chat.sent] == [chat.message_id, None, None]


async def test_half_a_surrogate_pair_does_not_stop_a_reply(open_chat: OpenChat) -> None:
    chat = await open_chat()
    await chat.send("half \ud83d of an emoji")
    assert len(chat.sent) == 1


async def test_images_of_tools_are_sent_after_the_text_as_photos(open_chat: OpenChat) -> None:
    chat = await open_chat()
    await chat.send("Here", [PNG])
    assert chat.sent == [{"chat_id": "1001", "text": "Here"}, {"chat_id": "1001", "text": "", "images": 1}]
    assert chat.fake.count("sendDocument") == 0


@pytest.mark.parametrize("status", [400, 413])
async def test_an_image_that_is_refused_as_a_photo_is_sent_as_a_file_or_skipped(
    open_chat: OpenChat, status: int
) -> None:
    chat = await open_chat()
    chat.fake.fault(on="/sendPhoto", status=status, times=2)
    await chat.send("as a file", [PNG])
    assert chat.kinds == ["as a file", "image"]
    chat.fake.fault(on="/sendDocument", status=status)
    await chat.send("left out", [PNG])
    assert chat.kinds == ["as a file", "image", "left out"]


@pytest.mark.parametrize("method", ["sendMessage", "sendPhoto", "editMessageText"])
async def test_a_reply_is_sent_after_a_rate_limit(open_chat: OpenChat, method: str) -> None:
    chat = await open_chat()
    partial = await chat.client.show_partial(chat.ctx, "h")
    chat.fake.fault(on=f"/{method}", status=429, retry_after=0.1, times=7)
    before = chat.fake.count(method)
    await chat.send("hi", [PNG], None if method == "sendMessage" else partial)
    assert chat.fake.count(method) - before == 8
    assert chat.kinds[-1] == "image"


async def test_the_wait_after_a_rate_limit_is_named_by_telegram(
    open_chat: OpenChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = await open_chat()
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(telegram_api, "sleep", sleep)
    chat.fake.fault(on="/sendMessage", status=429, retry_after=3_600, times=7)
    await chat.send("hi")
    assert waits == [3_600] * 7


async def test_a_reply_is_tried_5_times_during_an_outage(open_chat: OpenChat) -> None:
    chat = await open_chat()
    chat.fake.fault(on="/sendMessage", status=502, times=3)
    chat.fake.fault(on="/sendMessage", cut=True)
    await chat.send("after four")
    assert len(chat.sent) == 1

    chat.fake.fault(on="/sendMessage", status=502, times=5)
    with pytest.raises(Exception, match=r"^Telegram refused sendMessage of telegram-\d+: 502 ") as caught:
        await chat.send("after five")
    assert not isinstance(caught.value, RefusedReply)
    assert chat.fake.count("sendMessage") == 10


@pytest.mark.parametrize("on", ["/sendMessage", "/sendPhoto"])
async def test_a_failed_reply_continues_after_its_last_sent_part(open_chat: OpenChat, on: str) -> None:
    """Telegram would show the rest twice."""
    chat = await open_chat()
    if on == "/sendMessage":
        # The first request passes.
        chat.fake.fault(on=on, hang_ms=0)
    chat.fake.fault(on=on, status=502, times=5)
    with pytest.raises(Exception, match="502"):
        await chat.send(TWO_PIECES, [PNG])
    await chat.send(TWO_PIECES, [PNG])
    assert [len(kind) for kind in chat.kinds] == [4_000, 3_000, len("image")]

    # A reply that was sent completely is not continued.
    await chat.send(TWO_PIECES, [PNG])
    assert len(chat.sent) == 6


@pytest.mark.parametrize("status", [400, 403, 413])
async def test_a_refused_reply_is_not_retried(open_chat: OpenChat, status: int) -> None:
    chat = await open_chat()
    chat.fake.fault(on="/sendMessage", status=status)
    with pytest.raises(RefusedReply, match=rf"^Telegram refused sendMessage of telegram-\d+: {status} "):
        await chat.send("hi")
    assert chat.fake.count("sendMessage") == 1


async def test_a_token_that_is_refused_later_can_be_accepted_again(open_chat: OpenChat) -> None:
    chat = await open_chat()
    chat.fake.fault(on="/sendMessage", status=401)
    with pytest.raises(Exception, match=r"Telegram refused the bot token .*@BotFather") as caught:
        await chat.send("hi")
    assert not isinstance(caught.value, RefusedReply)
    await chat.send("hi")
    assert len(chat.sent) == 1


async def test_a_reply_to_a_group_that_became_a_supergroup_is_sent_to_the_supergroup(open_chat: OpenChat) -> None:
    chat = await open_chat(**GROUP)
    partial = await chat.client.show_partial(chat.ctx, "h")
    chat.fake.call("upgradeGroup", "-1001", "-1009")
    await chat.send("hi", [PNG], partial)
    assert [sent["chat_id"] for sent in chat.sent] == ["-1001", "-1009", "-1009"]
    assert chat.kinds[1:] == ["hi", "image"]


@pytest.mark.parametrize("fault", [{"status": 429, "retry_after": 3_600}, {"hang_ms": 60_000}])
async def test_a_stop_ends_a_reply(open_chat: OpenChat, fault: dict[str, Any]) -> None:
    chat = await open_chat()
    chat.fake.fault(on="/sendMessage", **fault)
    sending = asyncio.create_task(chat.send("hi"))
    await until(lambda: chat.fake.count("sendMessage") == 1)
    await chat.client.stop()
    with pytest.raises(Exception, match=r"^telegram-7000000001 was stopped$"):
        await sending
    with pytest.raises(Exception, match="was stopped"):
        await chat.send("later")


async def test_typing_is_shown_without_a_wait_or_a_retry(open_chat: OpenChat) -> None:
    chat = await open_chat()
    await chat.client.set_typing(chat.ctx)
    chat.fake.fault(on="/sendChatAction", status=429, retry_after=3_600)
    with pytest.raises(Exception, match="429"):
        await chat.client.set_typing(chat.ctx)
    assert chat.fake.count("sendChatAction") == 2


async def test_a_partial_reply_is_edited_and_replaced_by_the_reply(open_chat: OpenChat) -> None:
    chat = await open_chat(**GROUP)
    partial = await chat.client.show_partial(chat.ctx, "The")
    assert await chat.client.show_partial(replace(chat.ctx, partial=partial), "The answer") == partial
    await chat.send(f"The answer\n\n{TWO_PIECES}", partial=partial)
    first, second = chat.sent
    assert (first["text"][:10], first["edits"], first["reply_to"]) == ("The answer", 2, chat.message_id)
    assert second["text"][0] == "b"


async def test_a_reply_that_equals_its_partial_text_is_shown_once(open_chat: OpenChat) -> None:
    chat = await open_chat()
    partial = await chat.client.show_partial(chat.ctx, "The answer")
    await chat.send("The answer", partial=partial)
    assert chat.sent == [{"chat_id": "1001", "text": "The answer"}]


async def test_a_deleted_partial_reply_is_sent_again(open_chat: OpenChat) -> None:
    chat = await open_chat()
    partial = await chat.client.show_partial(chat.ctx, "The")
    chat.fake.call("deleteNewest")
    again = await chat.client.show_partial(replace(chat.ctx, partial=partial), "The answer")
    chat.fake.call("deleteNewest")
    await chat.send("The answer is 4", partial=again)
    assert chat.sent == [{"chat_id": "1001", "text": "The answer is 4"}]


async def test_a_long_partial_reply_is_its_first_piece_and_is_not_retried(open_chat: OpenChat) -> None:
    chat = await open_chat()
    await chat.client.show_partial(chat.ctx, TWO_PIECES)
    assert chat.sent == [{"chat_id": "1001", "text": "a" * 4_000}]
    chat.fake.fault(on="/sendMessage", status=502)
    with pytest.raises(Exception, match="502"):
        await chat.client.show_partial(chat.ctx, "The")


async def test_a_client_that_was_not_started_raises(open_fake: Callable[..., FakePlatform]) -> None:
    client = TelegramClient(**open_fake("telegram").client_options)
    with pytest.raises(RuntimeError, match=r"telegram-\d+ is not started"):
        await client.send_message(MessageContext(chat_id="1", user_id="2", message="hello"), reply("hi"))


@pytest.mark.parametrize("message", [{}, GROUP, {"chat_id": "-1001/7", "is_private": False}])
async def test_a_press_is_received_as_an_answer(open_chat: OpenChat, message: dict[str, Any]) -> None:
    chat = await open_chat(**message)
    await chat.client.ask_approval(chat.ctx, QUESTION)
    assert (chat.sent[0]["text"], chat.sent[0]["buttons"]) == (QUESTION.text, ["Yes", "No"])
    chat.fake.press("yes", chat_id=chat.ctx.chat_id)
    chat.fake.press("no", chat_id=chat.ctx.chat_id, user_id="2009")
    press, other = [await receive(chat.client) for _ in range(2)]
    assert press.answer
    assert other.answer
    assert (press.answer.question_id, press.answer.approved) == (QUESTION.id, True)
    assert (press.chat_id, press.user_id, press.message_id) == (chat.ctx.chat_id, chat.ctx.user_id, "press/press-1")
    assert (press.is_private, press.message, press.address) == (chat.ctx.is_private, "", None)
    assert (other.user_id, other.answer.approved) == ("2009", False)
    await until(lambda: chat.fake.count("answerCallbackQuery") == 2)


@pytest.mark.parametrize("fault", [{"status": 429, "retry_after": 3_600}, {"status": 400}, {"hang_ms": 60_000}])
async def test_a_failed_answer_to_a_press_delays_no_press(open_chat: OpenChat, fault: dict[str, Any]) -> None:
    chat = await open_chat()
    await chat.client.ask_approval(chat.ctx, QUESTION)
    chat.fake.fault(on="/answerCallbackQuery", **fault)
    chat.fake.press("no", chat_id="1001")
    press = await receive(chat.client)
    assert press.answer
    assert press.answer.approved is False
    await until(lambda: chat.fake.count("answerCallbackQuery") == 1)


@pytest.mark.parametrize("data", ["other:yes:1", "svc:maybe:1", "svc:yes:", ""])
async def test_a_press_of_another_button_is_skipped(open_chat: OpenChat, data: str) -> None:
    import httpx2

    chat = await open_chat()
    button = {"text": "Yes", "callback_data": data}
    async with httpx2.AsyncClient() as http:
        await http.post(
            f"{chat.fake.origin}/bot{chat.fake.secret}/sendMessage",
            json={"chat_id": 1001, "text": "?", "reply_markup": {"inline_keyboard": [[button]]}},
        )
    chat.fake.press("yes", chat_id="1001")
    chat.fake.say("but this")
    assert await receive_texts(chat.client, 1) == ["but this"]


async def test_presses_without_a_running_client_are_received_after_a_restart(
    open_chat: OpenChat, start_client: Any
) -> None:
    chat = await open_chat()
    await chat.client.ask_approval(chat.ctx, QUESTION)
    await chat.client.stop()
    chat.fake.press("yes", chat_id="1001")
    press = await receive(await start_client(chat.fake, chat.client.cursor))
    assert press.answer
    assert press.answer.approved


async def test_the_end_of_a_question_removes_the_buttons_and_can_be_repeated(open_chat: OpenChat) -> None:
    chat = await open_chat()
    shown = await chat.client.ask_approval(chat.ctx, QUESTION)
    for _ in range(2):
        await chat.client.end_question(chat.ctx, shown, "Delete the report? Approved.")
    assert chat.sent == [{"chat_id": "1001", "text": "Delete the report? Approved.", "edits": 1}]


async def test_a_long_question_is_shown_completely_and_its_last_piece_has_the_buttons(open_chat: OpenChat) -> None:
    chat = await open_chat()
    text = f"{'a' * 4_000}\n{'b' * 3_000}"
    shown = await chat.client.ask_approval(chat.ctx, Question(id="long", text=text))
    assert [(len(sent["text"]), sent.get("buttons")) for sent in chat.sent] == [(4_000, None), (3_000, ["Yes", "No"])]
    await chat.client.end_question(chat.ctx, shown, f"{text}\nApproved.")
    assert [(sent["text"][-9:], sent.get("buttons")) for sent in chat.sent] == [("a" * 9, None), ("Approved.", None)]


async def test_a_deleted_question_ends_without_an_error(open_chat: OpenChat) -> None:
    chat = await open_chat()
    shown = await chat.client.ask_approval(chat.ctx, QUESTION)
    chat.fake.call("deleteNewest")
    await chat.client.end_question(chat.ctx, shown, "Time is up")
    assert chat.sent == []
