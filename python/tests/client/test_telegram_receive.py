"""The messages that a bot on Telegram receives."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from svc.client.base import BaseClient, MessageContext
from svc.client.exchange import exchange
from svc.client.telegram import telegram_api
from tests.client.fake_platform import PNG, FakePlatform, until
from tests.client.receiving import receive, receive_texts

GROUP = {"chat_id": "-1001", "is_private": False}
BOT_ID = 7_000_000_001
LEFT_OUT = "[attachment that cannot be read: {}]"


@pytest.fixture
def fake(open_fake: Callable[..., FakePlatform]) -> FakePlatform:
    return open_fake("telegram")


@pytest.fixture
async def client(fake: FakePlatform, start_client: Any) -> BaseClient:
    started: BaseClient = await start_client(fake)
    return started


async def test_a_private_message_has_its_person_its_chat_and_its_id(fake: FakePlatform, client: BaseClient) -> None:
    message_id = fake.say("hello", chat_id="1001", user_name="Grace")
    assert await receive(client) == MessageContext(
        chat_id="1001",
        user_id="1001",
        message="hello",
        message_id=f"1001/{message_id}",
        user_name="Grace",
        is_private=True,
        address={"messageId": int(message_id)},
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@svc_fake_bot what is new?", "what is new?"),
        ("@SVC_fake_BOT, what is new?", "what is new?"),
        ("what is new, @svc_fake_bot?", "what is new, @svc_fake_bot?"),
        ("👩‍👩‍👧 @svc_fake_bot what is new?", "👩‍👩‍👧 @svc_fake_bot what is new?"),
        ("@svc_fake_bot", "@svc_fake_bot"),
        ("/new@svc_fake_bot", "/new"),
        ("/weather@svc_fake_bot in Rome", "/weather in Rome"),
    ],
)
async def test_in_a_group_a_mention_is_for_the_bot(
    fake: FakePlatform, client: BaseClient, text: str, message: str
) -> None:
    fake.say(text, **GROUP)
    ctx = await receive(client)
    assert (ctx.chat_id, ctx.user_id, ctx.is_private, ctx.message) == ("-1001", "2001", False, message)


async def test_in_a_group_a_reply_to_the_bot_and_a_mention_by_its_id_are_for_the_bot(
    fake: FakePlatform, client: BaseClient
) -> None:
    fake.say("and tomorrow?", reply_to="17", **GROUP)
    mention = {"type": "text_mention", "offset": 0, "length": 3, "user": {"id": BOT_ID, "is_bot": True}}
    fake.say("Svc again", members={"entities": [mention]}, **GROUP)
    assert await receive_texts(client, 2) == ["and tomorrow?", "Svc again"]


@pytest.mark.parametrize(
    "message",
    [
        pytest.param({**GROUP, "text": "hello all"}, id="to everybody in a group"),
        pytest.param({**GROUP, "text": "@svc_fake_bot_two hello"}, id="for a bot whose name begins alike"),
        pytest.param({**GROUP, "text": "x@svc_fake_bot.example"}, id="with the name in another place than the entity"),
        pytest.param({**GROUP, "text": "/new@other_bot"}, id="a command for another bot"),
        pytest.param(
            {**GROUP, "text": "yes", "members": {"reply_to_message": {"from": {"id": 5}}}}, id="a reply to another"
        ),
        pytest.param({"text": "from a bot", "is_bot": True}, id="of a bot"),
        pytest.param(
            {**GROUP, "text": "@svc_fake_bot", "members": {"sender_chat": {"id": -1009, "type": "channel"}}},
            id="of a channel in its group",
        ),
        pytest.param({"text": "", "members": {"sticker": {"emoji": "👍"}}}, id="without words and files"),
        pytest.param({"text": "edited", "update": "edited_message"}, id="that was edited"),
        pytest.param({"text": "@svc_fake_bot", "chat_id": "-1009", "update": "channel_post"}, id="a post in a channel"),
    ],
)
async def test_a_message_for_others_is_skipped(fake: FakePlatform, client: BaseClient, message: dict[str, Any]) -> None:
    fake.say(**message)
    fake.say("but this")
    assert await receive_texts(client, 1) == ["but this"]


async def test_topics_are_separate_chats_and_their_first_message_is_not_a_reply(
    fake: FakePlatform, client: BaseClient
) -> None:
    fake.say("not for the bot, which made the topic", chat_id="-1001/7", is_private=False, reply_to="7")
    fake.say("@svc_fake_bot in the topic", chat_id="-1001/7", is_private=False)
    # The answers to a message in a group without topics are a thread too.
    fake.say("@svc_fake_bot in the thread", members={"message_thread_id": 9}, **GROUP)
    received = [await receive(client) for _ in range(2)]
    assert [(ctx.chat_id, ctx.message) for ctx in received] == [("-1001/7", "in the topic"), ("-1001", "in the thread")]


async def test_messages_of_different_groups_with_the_same_number_have_different_ids(
    fake: FakePlatform, client: BaseClient
) -> None:
    for chat_id in ("-1001", "-1002"):
        fake.say("@svc_fake_bot hi", chat_id=chat_id, is_private=False, message_id="17")
    assert [(await receive(client)).message_id for _ in range(2)] == ["-1001/17", "-1002/17"]


@pytest.mark.parametrize("as_files", [False, True])
async def test_a_picture_becomes_a_data_url_with_its_caption(
    fake: FakePlatform, client: BaseClient, as_files: bool
) -> None:
    fake.say("@svc_fake_bot what is this?", images=[PNG], as_files=as_files, **GROUP)
    ctx = await receive(client)
    assert (ctx.message, ctx.images) == ("what is this?", [PNG])
    assert "file-" not in repr(ctx)
    assert "http" not in repr(ctx)


async def test_an_album_is_one_message_with_four_pictures_at_most(fake: FakePlatform, client: BaseClient) -> None:
    message_id = fake.say("@svc_fake_bot look", images=[PNG] * 5, **GROUP)
    fake.say("next")
    ctx = await receive(client)
    assert (ctx.message, ctx.message_id) == (f"look\n{LEFT_OUT.format('photo')}", f"-1001/{message_id}")
    assert ctx.images == [PNG] * 4
    assert await receive_texts(client, 1) == ["next"]


async def test_a_late_picture_of_an_album_belongs_to_the_album(
    fake: FakePlatform, client: BaseClient, start_client: Any
) -> None:
    album: dict[str, Any] = {"images": [PNG], "members": {"media_group_id": "album"}}
    fake.say("look", **album)
    pending = asyncio.create_task(receive(client))
    await until(lambda: fake.requests[-1]["path"].endswith("getUpdates") and fake.requests[-1]["status"] == 200)
    fake.say("", **album)
    ctx = await pending
    assert (ctx.message, ctx.images) == ("look", [PNG, PNG])
    await client.stop()
    again = await start_client(fake, client.cursor)
    fake.say("next")
    assert await receive_texts(again, 1) == ["next"]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("report.pdf", {"document": {"file_id": "x", "file_name": "report.pdf", "mime_type": "application/pdf"}}),
        ("drawing.svg", {"document": {"file_id": "x", "file_name": "drawing.svg", "mime_type": "image/svg+xml"}}),
        ("file", {"document": {"file_id": "x"}}),
        ("photo", {"photo": [{"file_id": "file-0", "file_size": 6 * 1024 * 1024}]}),
        ("voice message", {"voice": {"file_id": "x"}}),
        ("song.mp3", {"audio": {"file_id": "x", "file_name": "song.mp3"}}),
        ("video", {"video": {"file_id": "x"}}),
        ("video", {"video_note": {"file_id": "x"}}),
    ],
)
async def test_a_file_that_cannot_be_read_is_named_in_the_text(
    fake: FakePlatform, client: BaseClient, name: str, file: dict[str, Any]
) -> None:
    fake.say("", members={"caption": "look", **file})
    fake.say("", members=file)
    assert await receive_texts(client, 2) == [f"look\n{LEFT_OUT.format(name)}", LEFT_OUT.format(name)]


async def test_a_file_that_only_claims_to_be_a_picture_is_named_in_the_text(
    fake: FakePlatform, client: BaseClient
) -> None:
    fake.say("", images=["data:image/png;base64,PHN2Zy8+"], as_files=True)
    assert (await receive(client)).images == []
    assert fake.count("photos/file-0.jpg") == 1


async def test_a_picture_that_is_larger_than_its_declared_size_is_not_downloaded(
    fake: FakePlatform, client: BaseClient
) -> None:
    large = PNG + "A" * (8 * 1024 * 1024)
    fake.say("large", images=[large.replace("==", "")], members={"photo": [{"file_id": "file-0"}]})
    assert (await receive(client)).images == []
    assert not [request for request in fake.requests if request["path"].startswith("/file/")]


@pytest.mark.parametrize("on", [".jpg", "/getFile"])
async def test_a_download_is_retried_and_skipped_after_three_tries(
    fake: FakePlatform, client: BaseClient, on: str
) -> None:
    fake.fault(on=on, status=503)
    fake.fault(on=on, cut=True)
    fake.say("one", images=[PNG])
    ctx = await receive(client)
    assert (ctx.message, ctx.images) == ("one", [PNG])

    fake.fault(on=on, status=503, times=3)
    fake.say("two", images=[PNG])
    assert await receive_texts(client, 1) == [f"two\n{LEFT_OUT.format('photo')}"]


async def test_a_picture_that_telegram_has_deleted_is_skipped(fake: FakePlatform, client: BaseClient) -> None:
    fake.fault(on="/getFile", status=400)
    fake.say("gone", images=[PNG])
    assert await receive_texts(client, 1) == [f"gone\n{LEFT_OUT.format('photo')}"]
    assert fake.count("getFile") == 1


async def test_a_receive_that_is_cancelled_during_a_download_leaves_the_message_for_the_next_receive(
    fake: FakePlatform, client: BaseClient
) -> None:
    fake.fault(on=".jpg", hang_ms=60_000)
    fake.say("look", images=[PNG])
    pending = asyncio.create_task(client.receive_message())
    await until(lambda: fake.requests[-1]["path"].startswith("/file/"))
    pending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await pending
    assert client.cursor is None
    assert (await receive(client)).images == [PNG]


async def test_a_receive_that_is_cancelled_before_the_answer_loses_no_message(
    fake: FakePlatform, client: BaseClient
) -> None:
    fake.fault(on="/getUpdates", done=True, hang_ms=60_000)
    fake.say("hello")
    pending = asyncio.create_task(client.receive_message())
    await until(lambda: fake.count("getUpdates") == 1)
    pending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await pending
    assert client.cursor is None
    assert await receive_texts(client, 1) == ["hello"]


async def test_messages_that_were_not_stored_are_received_again(
    fake: FakePlatform, client: BaseClient, start_client: Any
) -> None:
    for text in ("one", "two"):
        fake.say(text)
    assert await receive_texts(client, 2) == ["one", "two"]
    await client.stop()
    # The agent was killed before it stored the first message.
    assert await receive_texts(await start_client(fake), 2) == ["one", "two"]


async def test_a_client_whose_cursor_was_set_back_receives_again(fake: FakePlatform, client: BaseClient) -> None:
    for text in ("one", "two", "three"):
        fake.say(text)
    assert await receive_texts(client, 1) == ["one"]
    await client.stop()
    client.cursor = None
    await client.start()
    assert await receive_texts(client, 3) == ["one", "two", "three"]


async def test_messages_to_others_advance_the_cursor(fake: FakePlatform, client: BaseClient) -> None:
    for _ in range(2):
        fake.say("to others", **GROUP)
    assert await client.receive_message() is None
    assert client.cursor == 100_003


@pytest.mark.parametrize("cursor", [{"session": "x"}, "100003", True, 1.5])
async def test_a_cursor_of_another_shape_starts_at_the_oldest_message(
    fake: FakePlatform, start_client: Any, cursor: object
) -> None:
    client = await start_client(fake, cursor)
    fake.say("hello")
    assert await receive_texts(client, 1) == ["hello"]


@pytest.mark.parametrize(
    "fault",
    [
        {"cut": True},
        {"cut": True, "done": True},
        {"status": 502, "times": 9},
        {"status": 429, "retry_after": 0.1, "times": 3},
    ],
)
async def test_a_failure_loses_and_repeats_no_message(
    fake: FakePlatform, client: BaseClient, fault: dict[str, Any]
) -> None:
    for text in ("one", "two"):
        fake.say(text)
    fake.fault(on="/getUpdates", **fault)
    assert await receive_texts(client, 2) == ["one", "two"]
    fake.say("three")
    assert await receive_texts(client, 1) == ["three"]


async def test_a_half_open_connection_is_closed_15_s_after_the_end_of_the_poll(
    fake: FakePlatform, start_client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = []

    async def exchange_quickly(*args: Any, timeout: float) -> Any:
        limits.append(timeout)
        return await exchange(*args, timeout=timeout / 100)

    monkeypatch.setattr(telegram_api, "exchange", exchange_quickly)
    client = await start_client(fake)
    fake.fault(on="/getUpdates", hang_ms=3_600_000)
    fake.say("hello")
    assert await receive_texts(client, 1) == ["hello"]
    assert set(limits) == {45}
    assert fake.count("getUpdates") == 2


async def test_the_client_waits_35_s_for_another_poller_each_time(
    fake: FakePlatform, client: BaseClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(telegram_api, "sleep", sleep)
    fake.fault(on="/getUpdates", status=409, times=3)
    fake.say("hello")
    assert await receive_texts(client, 1) == ["hello"]
    assert waits == [35, 35, 35]


async def test_a_stop_ends_the_wait_for_another_poller(fake: FakePlatform, client: BaseClient) -> None:
    fake.fault(on="/getUpdates", status=409)
    pending = asyncio.create_task(client.receive_message())
    await until(lambda: fake.requests[-1]["status"] == 409)
    await client.stop()
    assert await pending is None


@pytest.mark.parametrize("status", [401, 404])
async def test_a_revoked_token_ends_the_client_with_an_error(
    fake: FakePlatform, client: BaseClient, status: int
) -> None:
    fake.fault(on="/getUpdates", status=status)
    words = rf"Telegram refused the bot token of telegram-{BOT_ID} \({status}\)\. Send /token to @BotFather"
    with pytest.raises(Exception, match=words):
        await receive(client)


async def test_a_token_that_was_revoked_before_a_download_ends_the_client_too(
    fake: FakePlatform, client: BaseClient
) -> None:
    fake.fault(on="/getFile", status=401)
    fake.say("look", images=[PNG])
    with pytest.raises(Exception, match=rf"Telegram refused the bot token of telegram-{BOT_ID} \(401\)"):
        await receive(client)


async def test_a_refused_poll_ends_the_client_with_the_error_of_telegram(
    fake: FakePlatform, client: BaseClient
) -> None:
    fake.fault(on="/getUpdates", status=400)
    with pytest.raises(Exception, match=rf"^Telegram refused getUpdates of telegram-{BOT_ID}: 400 "):
        await receive(client)


async def test_the_cursor_is_json_of_the_other_language(fake: FakePlatform, client: BaseClient) -> None:
    fake.say("hello")
    await receive(client)
    assert json.dumps(client.cursor) == "100002"
