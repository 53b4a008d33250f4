"""Starts that Discord refuses, and stops."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from svc.client.discord import DiscordClient
from tests.client.conftest import MakeClient
from tests.client.fake_platform import FakePlatform, until
from tests.client.receiving import receive

TOKEN = "MTEwMDAwMDAwMDAwMDAwMDAwMQ.a.b"


@pytest.fixture
def fake(open_fake: Callable[..., FakePlatform]) -> FakePlatform:
    return open_fake("discord")


def test_the_id_is_part_of_the_token() -> None:
    assert DiscordClient(TOKEN).client_id == "discord-1100000000000000001"


@pytest.mark.parametrize("token", ["", "abc", f"Bot {TOKEN}", "bm90IGEgbnVtYmVy.a.b", f"{TOKEN}\n", "é.a.b"])
def test_another_text_is_not_a_token(token: str) -> None:
    with pytest.raises(ValueError, match=r"not the token of a Discord bot.*Reset Token"):
        DiscordClient(token)


def test_another_address_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^api_url has to be an address"):
        DiscordClient(TOKEN, api_url="discord.com")


async def test_the_error_for_a_wrong_token_says_where_to_get_a_new_token(
    fake: FakePlatform, make_client: MakeClient
) -> None:
    words = r"^discord-1100000000000000001: Discord refuses the bot token.*Reset Token.*401"
    with pytest.raises(Exception, match=words):
        await make_client(fake, wrong=True).start()


async def test_a_wrong_token_for_a_session_to_resume_is_refused_too(
    fake: FakePlatform, make_client: MakeClient, start_client: Any
) -> None:
    first = await start_client(fake)
    await first.receive_message()
    await first.stop()
    client = make_client(fake, wrong=True)
    client.cursor = first.cursor
    with pytest.raises(Exception, match=r"Discord refuses the bot token.*4004"):
        await client.start()


@pytest.mark.parametrize("close", [4004, 4010, 4011, 4012, 4013, 4014])
async def test_a_close_code_at_the_start_is_an_error(fake: FakePlatform, start_client: Any, close: int) -> None:
    fake.fault(close=close)
    with pytest.raises(Exception, match=f"Discord refuses .*close code {close}"):
        await start_client(fake)


async def test_close_code_4014_after_the_start_ends_the_client_with_an_error(
    fake: FakePlatform, start_client: Any
) -> None:
    client = await start_client(fake)
    await client.receive_message()
    pending = asyncio.create_task(client.receive_message())
    fake.fault(close=4014)
    with pytest.raises(Exception, match=r"Discord refuses the intents.*4014"):
        await pending
    with pytest.raises(Exception, match="4014"):
        await client.receive_message()


async def test_messages_before_a_refusal_are_returned_first(fake: FakePlatform, start_client: Any) -> None:
    client = await start_client(fake)
    fake.say("hello")
    fake.fault(close=4014)
    await until(lambda: fake.read("gatewayLog")[-1] == "left 4014")
    assert (await receive(client)).message == "hello"
    with pytest.raises(Exception, match="4014"):
        await client.receive_message()


async def test_a_client_that_was_stopped_receives_nothing(fake: FakePlatform, start_client: Any) -> None:
    client = await start_client(fake)
    await client.stop()
    assert await client.receive_message() is None


async def test_a_stop_during_the_wait_before_a_connection_opens_no_other(fake: FakePlatform, start_client: Any) -> None:
    fake.fault(on="/gateway/bot", status=429, retry_after=3_600)
    client = await start_client(fake)
    await client.stop()
    assert fake.read("gatewayLog") == []


async def test_a_stop_during_the_opening_of_a_connection_ends_it(fake: FakePlatform, make_client: MakeClient) -> None:
    fake.fault(on="/gateway", hang_ms=60_000)
    client = make_client(fake)
    starting = asyncio.create_task(client.start())
    await until(lambda: fake.read("gatewayLog") == ["hangs"])
    await client.stop()
    with pytest.raises(Exception, match="was stopped"):
        await starting
    await until(lambda: fake.read("gatewayLog") == ["hangs", "hung up"])


async def test_a_cancelled_start_leaves_no_task_and_no_connection(fake: FakePlatform, make_client: MakeClient) -> None:
    fake.fault(on="/gateway", hang_ms=60_000)
    client = make_client(fake)
    starting = asyncio.create_task(client.start())
    await until(lambda: fake.read("gatewayLog") == ["hangs"])
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    await until(lambda: fake.read("gatewayLog") == ["hangs", "hung up"])


async def test_a_stopped_client_resumes_at_its_cursor(fake: FakePlatform, start_client: Any) -> None:
    client = await start_client(fake)
    await client.receive_message()
    await client.stop()
    fake.say("meanwhile")
    await client.start()
    assert (await receive(client)).message == "meanwhile"
