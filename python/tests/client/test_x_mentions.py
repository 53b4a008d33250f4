"""Received mentions on X: their selection, their order, and each once, also over restarts."""

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from svc.client.base import BaseClient, MessageContext
from tests.client.fake_platform import PNG, FakePlatform, until
from tests.client.receiving import receive, receive_texts
from tests.support.waiting import PATIENCE

ACCOUNT = "7000000003"
LONG = "long " * 200


@pytest.fixture
def fake(open_fake: Callable[..., FakePlatform]) -> FakePlatform:
    return open_fake("x")


@pytest.fixture
async def client(fake: FakePlatform, start_client: Any) -> BaseClient:
    started: BaseClient = await start_client(fake)
    return started


async def test_a_mention_has_all_members_for_an_answer(fake: FakePlatform, client: BaseClient) -> None:
    message_id = fake.say("hello", chat_id="17", user_id="42", user_name="grace")
    assert await receive(client) == MessageContext(
        chat_id="17", user_id="42", user_name="grace", message="hello", message_id=message_id, is_private=False
    )


async def test_mentions_of_all_pages_are_returned_oldest_first_by_number(
    open_fake: Callable[..., FakePlatform], start_client: Any
) -> None:
    fake = open_fake("x", page_size=2)
    client = await start_client(fake)
    ids = ["9", "10", "99", "100", "101"]
    for message_id in ids:
        fake.say(message_id, message_id=message_id)
    assert await receive_texts(client, 5) == ids


async def test_a_mention_on_two_pages_is_returned_once(
    open_fake: Callable[..., FakePlatform], start_client: Any
) -> None:
    fake = open_fake("x", page_size=1)
    client = await start_client(fake)
    fake.say("one", twice=True)
    fake.say("two")
    assert await receive_texts(client, 2) == ["one", "two"]
    fake.say("three")
    assert await receive_texts(client, 1) == ["three"]


async def test_the_first_cursor_is_the_time_at_x_before_the_first_poll(fake: FakePlatform, client: BaseClient) -> None:
    fake.say("long ago", at=int(time.time() * 1000) - 5_000)
    assert await client.receive_message() is None
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", client.cursor["start_time"])
    assert [request["path"] for request in fake.requests] == ["/2/users/me"]
    fake.say("now")
    assert await receive_texts(client, 1) == ["now"]


async def test_the_first_cursor_finds_a_mention_that_was_written_while_the_agent_was_down(
    fake: FakePlatform, client: BaseClient, start_client: Any
) -> None:
    assert client.cursor is None
    await client.receive_message()
    await client.stop()
    fake.say("meanwhile")
    assert await receive_texts(await start_client(fake, client.cursor), 1) == ["meanwhile"]


async def test_the_cursor_is_the_returned_mention(fake: FakePlatform, client: BaseClient, start_client: Any) -> None:
    ids = [fake.say(text) for text in ("one", "two", "three")]
    assert await receive_texts(client, 1) == ["one"]
    assert client.cursor == {"since_id": ids[0]}
    await client.stop()
    second = await start_client(fake, client.cursor)
    assert await receive_texts(second, 2) == ["two", "three"]
    assert second.cursor == {"since_id": ids[2]}


async def test_the_cursor_advances_past_posts_that_need_no_answer(fake: FakePlatform, client: BaseClient) -> None:
    fake.say("one")
    assert await receive_texts(client, 1) == ["one"]
    message_id = fake.say("mine", user_id=ACCOUNT)
    async with asyncio.timeout(PATIENCE):
        while client.cursor != {"since_id": message_id}:
            assert await client.receive_message() is None


@pytest.mark.parametrize("cursor", [7, {"session": "s"}, {"since_id": 7}])
async def test_a_cursor_of_another_shape_is_a_first_start(
    fake: FakePlatform, start_client: Any, cursor: object
) -> None:
    client = await start_client(fake, cursor)
    assert await client.receive_message() is None
    assert list(client.cursor) == ["start_time"]


async def test_a_restarted_client_continues_at_its_cursor(fake: FakePlatform, client: BaseClient) -> None:
    for text in ("one", "two"):
        fake.say(text)
    assert await receive_texts(client, 1) == ["one"]
    await client.stop()
    await client.start()
    assert await receive_texts(client, 1) == ["two"]


@pytest.mark.parametrize(
    "message",
    [
        {"user_id": ACCOUNT},
        {"reply_settings": "following"},
        {"reply_settings": "mentionedUsers"},
        {"kind": "retweeted"},
    ],
)
async def test_a_post_that_needs_no_answer_is_skipped(
    fake: FakePlatform, client: BaseClient, message: dict[str, Any]
) -> None:
    fake.say("not this", **message)
    fake.say("but this")
    assert await receive_texts(client, 1) == ["but this"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@svc_fake hello", "hello"),
        ("@SVC_Fake   hello @svc_fake", "hello @svc_fake"),
        ("@ada @svc_fake @bob hello", "@ada @bob hello"),
        ("@svc_fake", "@svc_fake"),
        ("@svc_fake_two and @svc_fake", "@svc_fake_two and @svc_fake"),
        ("hello @svc_fake", "hello @svc_fake"),
        ("@svc_fake\ntwo\n\nlines", "two\n\nlines"),
        ("@svc_fake is 1 < 2 && 3 > 2 or &lt;?", "is 1 < 2 && 3 > 2 or &lt;?"),
        (
            r"@svc_fake read https://example.com/?a=1&b=\1 or https://example.com/2",
            r"read https://example.com/?a=1&b=\1 or https://example.com/2",
        ),
        (f"@svc_fake {LONG}end", f"{LONG}end"),
        (f"@svc_fake {LONG}https://example.com/end", f"{LONG}https://example.com/end"),
    ],
)
async def test_a_post_is_read_as_the_person_wrote_it_without_the_account_in_front(
    fake: FakePlatform, client: BaseClient, text: str, message: str
) -> None:
    fake.say(text)
    assert await receive_texts(client, 1) == [message]


@pytest.mark.parametrize(("kind", "message"), [("replied_to", "yes"), ("quoted", "@ada @bob yes")])
async def test_names_in_front_of_a_reply_are_removed(
    fake: FakePlatform, client: BaseClient, kind: str, message: str
) -> None:
    fake.say("@ada @svc_fake @bob yes", kind=kind)
    assert await receive_texts(client, 1) == [message]


async def test_photos_become_data_urls_at_most_four(fake: FakePlatform, client: BaseClient) -> None:
    fake.say("look", images=[PNG] * 5)
    ctx = await receive(client)
    assert (ctx.message, ctx.images) == ("look", [PNG] * 4)


async def test_photos_without_words_have_only_the_name_as_text(fake: FakePlatform, client: BaseClient) -> None:
    fake.say("@svc_fake", images=[PNG])
    ctx = await receive(client)
    assert (ctx.message, ctx.images) == ("@svc_fake", [PNG])


async def test_photos_are_downloaded_again_after_a_cut(fake: FakePlatform, client: BaseClient) -> None:
    fake.fault(on="/photos/3_1", cut=True)
    fake.fault(on="/photos/3_1", status=503)
    fake.say("look", images=[PNG])
    assert (await receive(client)).images == [PNG]


@pytest.mark.parametrize("fault", [{"status": 404}, {"cut": True, "times": 3}])
async def test_an_unavailable_photo_is_skipped(fake: FakePlatform, client: BaseClient, fault: dict[str, Any]) -> None:
    fake.fault(on="/photos/3_1", **fault)
    fake.say("look", images=[PNG, PNG])
    assert (await receive(client)).images == [PNG]


async def test_a_photo_above_5_mb_is_skipped(fake: FakePlatform, client: BaseClient) -> None:
    fake.say("look", images=[PNG.replace("==", "") + "A" * (8 * 1024 * 1024)])
    assert (await receive(client)).images == []


@pytest.mark.parametrize("fault", [{"cut": True}, {"status": 503}, {"status": 429}, {"cut": True, "done": True}])
async def test_a_failure_loses_and_repeats_no_mention(
    open_fake: Callable[..., FakePlatform], start_client: Any, fault: dict[str, Any]
) -> None:
    fake = open_fake("x", page_size=1)
    client = await start_client(fake)
    fake.say("one")
    fake.say("two")
    fake.fault(on="/mentions", **fault)
    assert await receive_texts(client, 2) == ["one", "two"]
    fake.say("three")
    assert await receive_texts(client, 1) == ["three"]


async def test_a_receive_that_was_cancelled_during_a_poll_loses_no_mention(
    fake: FakePlatform, client: BaseClient
) -> None:
    await client.receive_message()
    before = client.cursor
    fake.say("one")
    fake.fault(on="/mentions", hang_ms=60_000)
    pending = asyncio.create_task(client.receive_message())
    await until(lambda: fake.count("/mentions") == 1)
    pending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await pending
    assert client.cursor == before
    assert await receive_texts(client, 1) == ["one"]


async def test_a_receive_that_was_cancelled_during_a_download_leaves_the_mention_for_the_next_receive(
    fake: FakePlatform, client: BaseClient
) -> None:
    await client.receive_message()
    before = client.cursor
    fake.fault(on="/photos/3_1", hang_ms=60_000)
    fake.say("look", images=[PNG])
    pending = asyncio.create_task(client.receive_message())
    await until(lambda: fake.count("/photos/3_1") == 1)
    pending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await pending
    assert client.cursor == before
    ctx = await receive(client)
    assert (ctx.message, ctx.images) == ("look", [PNG])


async def test_the_interval_between_two_polls_is_that_of_the_option(fake: FakePlatform, start_client: Any) -> None:
    client = await start_client(fake, poll_seconds=3_600)
    for _ in range(2):
        await client.receive_message()
    pending = asyncio.create_task(client.receive_message())
    await asyncio.sleep(0.1)
    assert fake.count("/mentions") == 1
    await client.stop()
    assert await pending is None
