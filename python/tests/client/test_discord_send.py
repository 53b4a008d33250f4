"""The replies and questions of a bot on Discord."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from svc.client.base import BaseClient, MessageContext, Question, RefusedReply
from svc.client.discord import DiscordClient, discord_api
from tests.client.fake_platform import PNG, FakePlatform, until
from tests.client.receiving import receive
from tests.support.typescript import from_typescript

QUESTION = Question(id="q" * 50, text="Delete the report?")
OTHER = "1298000000000000009"


class Chat:
    """A chat in which a person wrote."""

    def __init__(self, fake: FakePlatform, client: BaseClient, ctx: MessageContext) -> None:
        self.fake, self.client, self.ctx = fake, client, ctx

    async def send(self, text: str, images: list[str] | None = None, **changes: Any) -> None:
        picture = {"role": "tool", "tool_call_id": "call", "content": "a picture", "svc_images": images or []}
        await self.client.send_message(replace(self.ctx, **changes), [picture, {"role": "assistant", "content": text}])

    @property
    def sent(self) -> list[dict[str, Any]]:
        return self.fake.sent

    @property
    def creates(self) -> int:
        return self.fake.count("/messages", "POST")


OpenChat = Callable[..., Any]


@pytest.fixture
def open_chat(open_fake: Callable[..., FakePlatform], start_client: Any) -> OpenChat:
    async def open_one(**message: Any) -> Chat:
        fake = open_fake("discord")
        client = await start_client(fake)
        fake.say(f"{fake.mention} hello", **message)
        return Chat(fake, client, await receive(client))

    return open_one


async def test_a_reply_in_a_direct_message(open_chat: OpenChat) -> None:
    chat = await open_chat()
    await chat.send("hi")
    assert chat.sent == [{"chat_id": chat.ctx.chat_id, "text": "hi"}]


async def test_a_reply_in_a_server_refers_to_the_message_and_sends_no_notification(open_chat: OpenChat) -> None:
    chat = await open_chat(is_private=False)
    await chat.send("@everyone hi")
    assert [(sent["text"], sent["reply_to"]) for sent in chat.sent] == [("@everyone hi", chat.ctx.message_id)]
    (body,) = chat.fake.read("bodies")
    assert body["allowed_mentions"] == {"parse": []}
    assert body["message_reference"]["fail_if_not_exists"] is False


async def test_a_long_reply_is_sent_in_pieces_and_only_the_first_refers_to_the_message(open_chat: OpenChat) -> None:
    chat = await open_chat(is_private=False)
    await chat.send(f"{'a' * 1_999}\n\n{'b' * 1_500}")
    assert [(sent["text"][0], len(sent["text"]), sent.get("reply_to")) for sent in chat.sent] == [
        ("a", 1_999, chat.ctx.message_id),
        ("b", 1_500, None),
    ]


async def test_nonces_equal_those_of_the_typescript_client(open_chat: OpenChat) -> None:
    chat = await open_chat()
    text = f"{'a' * 1_999}\n\n{'b' * 1_500}"
    await chat.send(text)
    await chat.client.ask_approval(chat.ctx, QUESTION)
    bodies = chat.fake.read("bodies")
    same = from_typescript(
        """await (async () => {
          const bodies = [];
          const send = async (_method, _path, { body }) => {
            bodies.push(body);
            return { id: '1', content: body.content, attachments: [] };
          };
          const channel = new Channel({ send }, given.ctx, new AbortController().signal);
          await channel.reply(given.text, []);
          await channel.ask(given.question);
          return bodies;
        })()""",
        {"Channel": "agent/clients/discord/channel.ts"},
        {
            "ctx": {"chatId": chat.ctx.chat_id, "messageId": chat.ctx.message_id, "address": chat.ctx.address},
            "text": text,
            "question": {"id": QUESTION.id, "text": QUESTION.text},
        },
    )
    assert len(bodies) == 3
    assert bodies == same


async def test_a_reply_that_is_sent_again_after_its_answer_was_cut_off_is_shown_once(open_chat: OpenChat) -> None:
    chat = await open_chat()
    chat.fake.fault(on="/messages", cut=True, done=True)
    await chat.send("hi")
    await chat.send("hi")
    assert chat.creates == 3
    assert chat.sent == [{"chat_id": chat.ctx.chat_id, "text": "hi"}]


async def test_equal_replies_to_two_messages_are_both_shown(open_chat: OpenChat) -> None:
    chat = await open_chat()
    await chat.send("hi")
    chat.fake.say("again")
    chat.ctx = await receive(chat.client)
    await chat.send("hi")
    assert [sent["text"] for sent in chat.sent] == ["hi", "hi"]


async def test_images_of_tools_are_attached_to_the_last_piece_and_further_images_are_sent_separately(
    open_chat: OpenChat,
) -> None:
    chat = await open_chat()
    images = [PNG.replace("AAAADUlEQVR", f"AAAADUlEQV{index}") for index in range(6)]
    await chat.send(f"{'a' * 2_000}b", images)
    assert [(len(sent["text"]), sent.get("images")) for sent in chat.sent] == [(2_000, None), (1, 4), (0, 2)]


async def test_images_without_words_are_sent(open_chat: OpenChat) -> None:
    chat = await open_chat()
    await chat.send("", [PNG])
    assert [(sent["text"], sent["images"]) for sent in chat.sent] == [("", 1)]


async def test_a_reply_is_sent_after_a_rate_limit(open_chat: OpenChat) -> None:
    chat = await open_chat()
    chat.fake.fault(on="/messages", status=429, retry_after=0.3, times=7)
    await chat.send("hi")
    assert chat.creates == 8
    assert len(chat.sent) == 1


@pytest.mark.parametrize(("retry_after", "wait"), [(0.25, 0.25), (3_600, 3_600), (0, 1.0)])
async def test_the_wait_after_a_rate_limit_is_named_by_discord(
    open_chat: OpenChat, monkeypatch: pytest.MonkeyPatch, retry_after: float, wait: float
) -> None:
    chat = await open_chat()
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(discord_api, "sleep", sleep)
    chat.fake.fault(on="/messages", status=429, retry_after=retry_after, times=7)
    await chat.send("hi")
    assert waits == [wait] * 7


async def test_a_reply_is_tried_5_times_during_an_outage(open_chat: OpenChat) -> None:
    chat = await open_chat()
    chat.fake.fault(on="/messages", status=502, times=4)
    await chat.send("after four")
    assert len(chat.sent) == 1
    chat.fake.fault(on="/messages", status=502, times=5)
    with pytest.raises(Exception, match=r"^Discord answers POST .*/messages with 502$") as caught:
        await chat.send("after five", message_id="1")
    assert not isinstance(caught.value, RefusedReply)
    assert chat.creates == 10


@pytest.mark.parametrize("status", [400, 403, 404])
async def test_a_refused_reply_is_not_retried(open_chat: OpenChat, status: int) -> None:
    chat = await open_chat()
    chat.fake.fault(on="/messages", status=status)
    with pytest.raises(RefusedReply, match=f"^Discord refuses POST /channels/{chat.ctx.chat_id}/messages: {status}"):
        await chat.send("hi")
    assert chat.creates == 1


async def test_a_token_that_is_refused_later_can_be_accepted_again(open_chat: OpenChat) -> None:
    chat = await open_chat()
    chat.fake.fault(on="/messages", status=401)
    with pytest.raises(Exception, match=r"Discord refuses the bot token.*Reset Token"):
        await chat.send("hi")
    await chat.send("hi")
    assert len(chat.sent) == 1


@pytest.mark.parametrize("fault", [{"status": 429, "retry_after": 3_600}, {"hang_ms": 60_000}])
async def test_a_stop_ends_a_reply(open_chat: OpenChat, fault: dict[str, Any]) -> None:
    chat = await open_chat()
    chat.fake.fault(on="/messages", **fault)
    sending = asyncio.create_task(chat.send("hi"))
    await until(lambda: chat.creates == 1)
    await chat.client.stop()
    with pytest.raises(Exception, match="was stopped"):
        await sending


async def test_typing_is_shown(open_chat: OpenChat) -> None:
    chat = await open_chat()
    await chat.client.set_typing(chat.ctx)
    path = f"/api/v10/channels/{chat.ctx.chat_id}/typing"
    assert chat.fake.requests[-1] == {"method": "POST", "path": path, "status": 204}


async def test_a_partial_reply_is_edited_and_replaced_by_the_reply(open_chat: OpenChat) -> None:
    chat = await open_chat(is_private=False)
    partial = await chat.client.show_partial(chat.ctx, "The")
    await chat.client.show_partial(replace(chat.ctx, partial=partial), "The answer")
    await chat.send("The answer is 4", [PNG], partial=partial)
    shown = {"chat_id": chat.ctx.chat_id, "text": "The answer is 4", "edits": 2, "images": 1}
    assert chat.sent == [{**shown, "reply_to": chat.ctx.message_id}]


async def test_a_reply_whose_partial_text_was_forgotten_in_a_crash_replaces_it(open_chat: OpenChat) -> None:
    chat = await open_chat()
    await chat.client.show_partial(chat.ctx, "The")
    await chat.send("The answer is 4")
    assert chat.sent == [{"chat_id": chat.ctx.chat_id, "text": "The answer is 4", "edits": 1}]


async def test_images_of_a_reply_that_is_sent_again_over_its_partial_text_are_shown_once(open_chat: OpenChat) -> None:
    chat = await open_chat()
    partial = await chat.client.show_partial(chat.ctx, "Here")
    for _ in range(2):
        await chat.send("Here it is", [PNG], partial=partial)
    assert [(sent["text"], sent["images"]) for sent in chat.sent] == [("Here it is", 1)]


async def test_a_deleted_partial_reply_is_sent_again(open_chat: OpenChat) -> None:
    chat = await open_chat()
    partial = await chat.client.show_partial(chat.ctx, "The")
    chat.fake.call("deleteNewest")
    await chat.send("The answer", partial=partial)
    assert chat.sent == [{"chat_id": chat.ctx.chat_id, "text": "The answer"}]


async def test_a_client_that_was_not_started_raises(open_fake: Callable[..., FakePlatform]) -> None:
    client = DiscordClient(**open_fake("discord").client_options)
    with pytest.raises(RuntimeError, match=r"discord-\d+ is not started"):
        await client.send_message(MessageContext(chat_id="1", user_id="2", message="hello"), [])


@pytest.mark.parametrize("is_private", [True, False])
async def test_a_press_is_received_as_an_answer(open_chat: OpenChat, is_private: bool) -> None:
    chat = await open_chat(is_private=is_private)
    await chat.client.ask_approval(chat.ctx, QUESTION)
    assert (chat.sent[0]["text"], chat.sent[0]["buttons"]) == (QUESTION.text, ["Yes", "No"])
    chat.fake.press("yes", chat_id=chat.ctx.chat_id)
    chat.fake.press("no", chat_id=chat.ctx.chat_id, user_id=OTHER)
    press, other = [await receive(chat.client) for _ in range(2)]
    assert press.answer
    assert other.answer
    assert (press.answer.question_id, press.answer.approved) == (QUESTION.id, True)
    assert (press.chat_id, press.user_id, press.is_private) == (chat.ctx.chat_id, chat.ctx.user_id, is_private)
    assert (other.user_id, other.answer.approved) == (OTHER, False)


async def test_discord_gets_the_answer_to_a_press_before_the_agent_asks_for_it(open_chat: OpenChat) -> None:
    chat = await open_chat()
    await chat.client.ask_approval(chat.ctx, QUESTION)
    chat.fake.press("yes", chat_id=chat.ctx.chat_id)
    await until(lambda: chat.fake.requests[-1]["path"].endswith("/callback") and chat.fake.requests[-1]["status"])
    assert chat.fake.requests[-1]["status"] == 204


async def test_a_refused_answer_to_a_press_loses_no_press(open_chat: OpenChat) -> None:
    chat = await open_chat()
    await chat.client.ask_approval(chat.ctx, QUESTION)
    chat.fake.fault(on="/callback", status=404)
    chat.fake.press("no", chat_id=chat.ctx.chat_id)
    press = await receive(chat.client)
    assert press.answer
    assert press.answer.approved is False


async def test_presses_without_a_running_client_are_received_after_a_restart(
    open_chat: OpenChat, start_client: Any
) -> None:
    chat = await open_chat()
    await chat.client.ask_approval(chat.ctx, QUESTION)
    await chat.client.stop()
    chat.fake.press("yes", chat_id=chat.ctx.chat_id)
    press = await receive(await start_client(chat.fake, chat.client.cursor))
    assert press.answer
    assert press.answer.approved


async def test_the_end_of_a_question_removes_the_buttons(open_chat: OpenChat) -> None:
    chat = await open_chat()
    shown = await chat.client.ask_approval(chat.ctx, QUESTION)
    await chat.client.end_question(chat.ctx, shown, "Delete the report? Yes, said Ada")
    assert chat.sent == [{"chat_id": chat.ctx.chat_id, "text": "Delete the report? Yes, said Ada", "edits": 1}]


async def test_a_deleted_question_ends_without_an_error(open_chat: OpenChat) -> None:
    chat = await open_chat()
    shown = await chat.client.ask_approval(chat.ctx, QUESTION)
    chat.fake.call("deleteNewest")
    await chat.client.end_question(chat.ctx, shown, "Time is up")
    assert chat.sent == []


async def test_a_question_that_is_asked_again_after_a_crash_is_shown_once(open_chat: OpenChat) -> None:
    chat = await open_chat()
    shown = await chat.client.ask_approval(chat.ctx, QUESTION)
    assert await chat.client.ask_approval(chat.ctx, QUESTION) == shown
    assert len(chat.sent) == 1


async def test_a_long_question_is_sent_in_pieces_and_the_last_piece_has_the_buttons(open_chat: OpenChat) -> None:
    chat = await open_chat()
    text = "\n".join(f"line {index}" for index in range(300))
    shown = await chat.client.ask_approval(chat.ctx, Question(id="long", text=text))
    assert "\n".join(sent["text"] for sent in chat.sent) == text
    assert [len(sent.get("buttons", [])) for sent in chat.sent] == [0, 2]
    await chat.client.end_question(chat.ctx, shown, f"{text}\nApproved.")
    assert chat.sent[-1]["text"].endswith("line 299\nApproved.")
    assert "buttons" not in chat.sent[-1]
