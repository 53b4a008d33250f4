"""The messages that a bot on Discord receives."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from svc.client.base import BaseClient, MessageContext
from tests.client.fake_platform import PNG, FakePlatform, until
from tests.client.receiving import receive, receive_texts

PICTURE = "1297000000000000001"


@pytest.fixture
def fake(open_fake: Callable[..., FakePlatform]) -> FakePlatform:
    return open_fake("discord")


@pytest.fixture
async def client(fake: FakePlatform, start_client: Any) -> BaseClient:
    started: BaseClient = await start_client(fake)
    return started


def downloads(fake: FakePlatform) -> int:
    return len([request for request in fake.requests if request["path"].startswith("/cdn/")])


async def test_a_direct_message_has_its_person_its_chat_and_its_id(fake: FakePlatform, client: BaseClient) -> None:
    message_id = fake.say("hello", chat_id="1299000000000000001", user_id="1298000000000000001", user_name="Grace")
    assert await receive(client) == MessageContext(
        chat_id="1299000000000000001",
        user_id="1298000000000000001",
        message="hello",
        message_id=message_id,
        user_name="Grace",
        is_private=True,
        address={},
    )


async def test_in_a_server_the_mention_of_the_bot_is_removed_from_the_text(
    fake: FakePlatform, client: BaseClient
) -> None:
    message_id = fake.say(f"{fake.mention} what is new, <@123>?", is_private=False)
    ctx = await receive(client)
    assert (ctx.message, ctx.is_private) == ("what is new, <@123>?", False)
    assert ctx.address == {"replyTo": message_id}


async def test_messages_to_others_from_bots_and_from_discord_itself_are_skipped(
    fake: FakePlatform, client: BaseClient
) -> None:
    fake.say("to everybody", is_private=False)
    fake.say("from a bot", is_bot=True)
    fake.say("joined the server", type=7)
    fake.say("a reply to the bot", is_private=False, is_reply=True)
    assert await receive_texts(client, 1) == ["a reply to the bot"]


async def test_pictures_become_data_urls(fake: FakePlatform, client: BaseClient) -> None:
    fake.say("", images=[PNG])
    ctx = await receive(client)
    assert (ctx.message, ctx.images) == ("", [PNG])


async def test_a_picture_that_cannot_be_read_is_named_in_the_text(fake: FakePlatform, client: BaseClient) -> None:
    fake.say("look", images=["<svg/>"])
    ctx = await receive(client)
    assert (ctx.message, ctx.images) == ("look\n[attachment that cannot be read: image.png]", [])


async def test_four_pictures_are_read_and_others_are_named(fake: FakePlatform, client: BaseClient) -> None:
    fake.say("look", images=[PNG] * 5)
    ctx = await receive(client)
    assert (ctx.message, ctx.images) == ("look\n[attachment that cannot be read: image.png]", [PNG] * 4)


async def test_a_picture_that_is_too_large_is_not_downloaded(fake: FakePlatform, client: BaseClient) -> None:
    fake.say("large", images=[PNG], image_bytes=6 * 1024 * 1024)
    assert (await receive(client)).images == []
    assert downloads(fake) == 0


async def test_a_picture_that_is_larger_than_its_declared_size_is_skipped(
    fake: FakePlatform, client: BaseClient
) -> None:
    large = PNG.replace("==", "") + "A" * (8 * 1024 * 1024)
    fake.say("large", images=[large], image_bytes=100)
    assert (await receive(client)).images == []
    assert downloads(fake) == 1


async def test_a_failed_download_is_retried(fake: FakePlatform, client: BaseClient) -> None:
    fake.fault(on="/0", status=503)
    fake.fault(on="/0", cut=True)
    fake.say("", images=[PNG], message_id=PICTURE)
    assert (await receive(client)).images == [PNG]


async def test_a_receive_that_is_cancelled_during_a_download_leaves_the_message_for_the_next_receive(
    fake: FakePlatform, client: BaseClient
) -> None:
    await client.receive_message()
    fake.fault(on="/0", hang_ms=60_000)
    fake.say("look", images=[PNG], message_id=PICTURE)
    pending = asyncio.create_task(client.receive_message())
    await until(lambda: downloads(fake) == 1)
    pending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await pending
    # READY was the first event.
    assert client.cursor["sequence"] == 1
    ctx = await receive(client)
    assert (ctx.message, ctx.images) == ("look", [PNG])
