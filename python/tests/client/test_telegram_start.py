"""Starts that Telegram refuses or delays, and stops."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from svc.client.telegram import TelegramClient
from svc.client.telegram.telegram_api import TelegramAccount
from tests.client.fake_platform import FakePlatform, until
from tests.client.receiving import receive_texts

TOKEN = "123456789:AAF0123456789012345678901"


@pytest.fixture
def fake(open_fake: Callable[..., FakePlatform]) -> FakePlatform:
    return open_fake("telegram")


def test_an_account_does_not_show_its_token() -> None:
    assert TOKEN not in repr(TelegramAccount(TOKEN, "http://127.0.0.1", 30, "telegram-123456789"))


def test_the_id_is_part_of_the_token() -> None:
    assert TelegramClient(TOKEN).client_id == "telegram-123456789"


@pytest.mark.parametrize("token", ["", "abc", "123456789", "sk-proj-0123456789012345678901234567890", f"{TOKEN}\n"])
def test_another_text_is_not_a_token_and_the_error_does_not_show_it(token: str) -> None:
    with pytest.raises(ValueError, match=r"^bot_token is not a token of Telegram\. A token looks like 123") as caught:
        TelegramClient(token)
    assert "sk-proj" not in str(caught.value)
    assert "AAF0" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"api_root": "api.telegram.org"}, "api_root has to be an address that begins with https:// or http://"),
        ({"api_root": "https://api telegram"}, "api_root has to be an address that begins with https:// or http://"),
        ({"poll_seconds": 0}, "poll_seconds has to be from 1 to 50, and is 0"),
        ({"poll_seconds": 51}, "poll_seconds has to be from 1 to 50, and is 51"),
        ({"poll_seconds": float("nan")}, "poll_seconds has to be from 1 to 50, and is nan"),
    ],
)
def test_a_wrong_option_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=f"^{words}$"):
        TelegramClient(TOKEN, **options)


async def test_the_error_for_a_wrong_token_says_where_to_get_a_new_token(fake: FakePlatform) -> None:
    words = (
        r"^Telegram refused the bot token of telegram-7000000001 \(401\)\. Send /token to @BotFather "
        r"\(https://t\.me/BotFather\), and set what it answers as bot_token$"
    )
    with pytest.raises(Exception, match=words):
        await TelegramClient(**fake.wrong_credentials).start()


async def test_a_start_during_an_outage_continues_by_itself(fake: FakePlatform, start_client: Any) -> None:
    fake.fault(on="/getMe", status=502)
    fake.fault(on="/getMe", cut=True)
    fake.fault(on="/getMe", status=429, retry_after=0.1)
    fake.fault(on="/deleteWebhook", status=503)
    await start_client(fake)
    assert [request["status"] for request in fake.requests] == [502, 0, 429, 200, 503, 200]


async def test_a_webhook_is_deleted_and_its_messages_are_received(fake: FakePlatform, start_client: Any) -> None:
    import httpx2

    async with httpx2.AsyncClient() as http:
        await http.get(f"{fake.origin}/bot{fake.secret}/setWebhook?url=https://example.com")
    fake.say("meanwhile")
    assert await receive_texts(await start_client(fake), 1) == ["meanwhile"]


@pytest.mark.parametrize("fault", [{"status": 429, "retry_after": 3_600}, {"hang_ms": 60_000}])
async def test_stop_ends_a_start(fake: FakePlatform, fault: dict[str, Any]) -> None:
    fake.fault(on="/getMe", **fault)
    client = TelegramClient(**fake.client_options)
    starting = asyncio.create_task(client.start())
    await until(lambda: len(fake.requests) == 1)
    await client.stop()
    with pytest.raises(Exception, match=r"^telegram-7000000001 was stopped$"):
        await starting


async def test_a_stopped_client_receives_no_message_and_sends_no_request(fake: FakePlatform, start_client: Any) -> None:
    client = await start_client(fake)
    await client.stop()
    assert await client.receive_message() is None
    assert fake.count("getUpdates") == 0


async def test_a_start_closes_the_connection_of_an_earlier_start(fake: FakePlatform, start_client: Any) -> None:
    client = await start_client(fake)
    await client.start()
    fake.say("hello")
    assert await receive_texts(client, 1) == ["hello"]


@pytest.mark.parametrize("body", ["<html>502 Bad Gateway</html>", "", "[]", '{"result": 1'])
async def test_an_answer_that_is_not_json_is_retried(fake: FakePlatform, start_client: Any, body: str) -> None:
    bodies = [body]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        text = bodies.pop() if bodies else '{"ok": true, "result": {"id": 1, "username": "bot"}}'
        writer.write(f"HTTP/1.1 200 OK\r\ncontent-length: {len(text)}\r\nconnection: close\r\n\r\n{text}".encode())
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        await start_client(fake, api_root=f"http://127.0.0.1:{port}/prefix/")
    assert bodies == []
