"""Replies on X: one for each mention, cut to the limits of X."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from svc.client.base import BaseClient, MessageContext, RefusedReply
from svc.client.x import XClient
from tests.client.fake_platform import PNG, FakePlatform, until
from tests.client.receiving import receive

GIF = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs="


class Chat:
    """A conversation in which a person mentioned the account."""

    def __init__(self, fake: FakePlatform, client: BaseClient, ctx: MessageContext) -> None:
        self.fake, self.client, self.ctx = fake, client, ctx

    async def send(self, text: str, images: list[str] | None = None) -> None:
        picture = {"role": "tool", "tool_call_id": "call_1", "content": "{}", "svc_images": images or []}
        await self.client.send_message(self.ctx, [picture, {"role": "assistant", "content": text}])

    def shows(self, text: str, **more: Any) -> bool:
        return self.fake.sent == [{"chat_id": "17", "text": text, "reply_to": self.ctx.message_id, **more}]


@pytest.fixture
async def chat(open_fake: Callable[..., FakePlatform], start_client: Any) -> Chat:
    fake = open_fake("x")
    client = await start_client(fake)
    fake.say("hello", chat_id="17")
    return Chat(fake, client, await receive(client))


async def test_a_reply_answers_the_post(chat: Chat) -> None:
    await chat.send("Hello, Ada!")
    assert chat.shows("Hello, Ada!")


async def test_a_long_reply_is_one_post_that_ends_with_an_ellipsis(chat: Chat) -> None:
    await chat.send("word " * 100 + "end")
    assert chat.shows(("word " * 55).strip() + "…")


async def test_a_reply_that_was_posted_before_is_not_an_error_and_is_shown_once(chat: Chat) -> None:
    await chat.send("once")
    await chat.send("once")
    assert chat.shows("once")
    statuses = [request["status"] for request in chat.fake.requests if request["path"] == "/2/tweets"]
    assert statuses == [201, 403]


@pytest.mark.parametrize("fault", [{"status": 503}, {"status": 429}, {"cut": True}, {"cut": True, "done": True}])
async def test_a_failure_is_retried_and_the_reply_is_shown_once(chat: Chat, fault: dict[str, Any]) -> None:
    chat.fake.fault(on="/2/tweets", **fault)
    await chat.send("again")
    assert chat.shows("again")


async def test_a_reply_is_tried_5_times_during_an_outage(chat: Chat) -> None:
    chat.fake.fault(on="/2/tweets", status=500, times=5)
    words = r"^X did not take POST /2/tweets in 5 tries\. The last time: status 500$"
    with pytest.raises(Exception, match=words) as caught:
        await chat.send("later")
    assert not isinstance(caught.value, RefusedReply)
    assert chat.fake.count("/2/tweets") == 5


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404])
async def test_a_refusal_is_a_refused_reply(chat: Chat, status: int) -> None:
    chat.fake.fault(on="/2/tweets", status=status)
    with pytest.raises(RefusedReply, match=f"^X refused POST /2/tweets: {status} "):
        await chat.send("no")
    assert chat.fake.sent == []


async def test_a_reply_to_a_deleted_post_is_refused_permanently(chat: Chat) -> None:
    chat.ctx = replace(chat.ctx, message_id="1")
    words = (
        r"^X refused POST /2/tweets: 403 You attempted to reply to a Tweet that is deleted or not visible to you\. "
        r"Check in the developer portal of X that the app may read and write, and make the access token again after a"
    )
    with pytest.raises(RefusedReply, match=words):
        await chat.send("no")


async def test_stop_ends_a_reply_which_is_not_refused(chat: Chat) -> None:
    chat.fake.fault(on="/2/tweets", hang_ms=60_000)
    sending = asyncio.create_task(chat.send("later"))
    await until(lambda: chat.fake.count("/2/tweets") == 1)
    await chat.client.stop()
    with pytest.raises(Exception, match="was stopped") as caught:
        await sending
    assert not isinstance(caught.value, RefusedReply)


async def test_at_most_four_images_of_tools_are_uploaded_and_gifs_are_skipped(chat: Chat) -> None:
    pictures = [PNG.replace("AAAADUlEQVR", f"AAAADUlEQV{index}") for index in range(5)]
    await chat.send("look", [GIF, *pictures])
    assert chat.shows("look", images=4)
    assert chat.fake.count("/2/media/upload") == 4


async def test_an_image_that_x_refuses_is_skipped_and_the_text_is_posted(chat: Chat) -> None:
    chat.fake.fault(on="/2/media/upload", status=400)
    await chat.send("look", [PNG])
    assert chat.shows("look")


async def test_an_upload_is_retried(chat: Chat) -> None:
    chat.fake.fault(on="/2/media/upload", cut=True)
    await chat.send("look", [PNG])
    assert chat.shows("look", images=1)


async def test_a_client_that_was_not_started_raises(open_fake: Callable[..., FakePlatform]) -> None:
    client = XClient(**open_fake("x").client_options)
    with pytest.raises(RuntimeError, match=r"x-\d+ is not started"):
        await client.receive_message()
