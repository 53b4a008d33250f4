"""The gateway session of a bot on Discord, when connections end."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from svc.client.base import BaseClient
from svc.client.discord import gateway
from tests.client.fake_platform import FakePlatform, until
from tests.client.receiving import receive, receive_texts
from tests.support.waiting import PATIENCE


@pytest.fixture
def fake(open_fake: Callable[..., FakePlatform]) -> FakePlatform:
    return open_fake("discord")


@pytest.fixture
async def client(fake: FakePlatform, start_client: Any) -> BaseClient:
    started: BaseClient = await start_client(fake)
    return started


def log_of(fake: FakePlatform) -> list[str]:
    return list(fake.read("gatewayLog"))


def identified(fake: FakePlatform) -> int:
    return len([line for line in log_of(fake) if line.startswith("identify")])


async def test_a_new_client_resumes_at_the_cursor_of_an_earlier_one(
    fake: FakePlatform, client: BaseClient, start_client: Any
) -> None:
    fake.say("one")
    await receive(client)
    await client.stop()
    fake.say("two")
    fake.say("three")
    second = await start_client(fake, json.loads(json.dumps(client.cursor)))
    assert await receive_texts(second, 2) == ["two", "three"]
    assert log_of(fake)[1:] == ["left 4200", "resume 2"]


async def test_the_cursor_has_the_shape_of_the_typescript_client(fake: FakePlatform, client: BaseClient) -> None:
    fake.say("one")
    await receive(client)
    resume_url = f"{fake.origin.replace('http', 'ws')}/gateway/resume"
    assert client.cursor == {"session": "session-1", "sequence": 2, "resumeUrl": resume_url}


async def test_the_cursor_is_not_ahead_of_the_returned_messages(
    fake: FakePlatform, client: BaseClient, start_client: Any
) -> None:
    for text in ("one", "two", "three"):
        fake.say(text)
    await receive(client)
    await client.stop()
    assert await receive_texts(await start_client(fake, client.cursor), 2) == ["two", "three"]


async def test_the_cursor_of_a_new_session_is_returned_at_once(client: BaseClient) -> None:
    async with asyncio.timeout(PATIENCE):
        assert await client.receive_message() is None
    assert (client.cursor["session"], client.cursor["sequence"]) == ("session-1", 1)


async def test_messages_to_others_advance_the_cursor_with_the_next_message(
    fake: FakePlatform, client: BaseClient
) -> None:
    for _ in range(3):
        fake.say("to others", is_private=False)
    fake.say("to the bot")
    await receive(client)
    assert client.cursor["sequence"] == 5


async def test_a_session_that_discord_no_longer_has_is_replaced(fake: FakePlatform, start_client: Any) -> None:
    cursor = {"session": "gone", "sequence": 7, "resumeUrl": fake.origin.replace("http", "ws")}
    client = await start_client(fake, cursor)
    await until(lambda: identified(fake) == 1)
    fake.say("hello")
    assert await receive_texts(client, 1) == ["hello"]
    assert client.cursor["session"] == "session-1"


@pytest.mark.parametrize(
    "cursor",
    [
        {"offset": 12},
        12,
        {"session": "s", "sequence": True, "resumeUrl": "ws://127.0.0.1"},
        {"session": "s", "sequence": 1, "resumeUrl": "no address"},
    ],
)
async def test_a_cursor_of_another_shape_starts_a_new_session(
    fake: FakePlatform, start_client: Any, cursor: object
) -> None:
    await start_client(fake, cursor)
    assert log_of(fake) == [f"identify {(1 << 9) | (1 << 12)}"]


async def test_connections_that_cannot_be_opened_do_not_end_the_session(fake: FakePlatform, client: BaseClient) -> None:
    fake.fault(on="/gateway/resume", cut=True, times=2)
    fake.fault(on="/gateway/resume", status=503)
    fake.fault(close=1006)
    fake.say("during the outage")
    assert await receive_texts(client, 1) == ["during the outage"]
    assert identified(fake) == 1


async def test_after_three_tries_the_general_address_of_the_gateway_resumes_the_session(
    fake: FakePlatform, client: BaseClient, start_client: Any
) -> None:
    fake.say("one")
    await receive(client)
    await client.stop()
    fake.say("two")
    second = await start_client(fake, {**client.cursor, "resumeUrl": "ws://127.0.0.1:1/"})
    assert await receive_texts(second, 1) == ["two"]
    assert fake.count("/gateway/bot") == 2
    assert identified(fake) == 1


@pytest.mark.parametrize("close", [1006, 4000, 4001, 4008])
async def test_a_connection_that_ends_is_resumed(fake: FakePlatform, client: BaseClient, close: int) -> None:
    fake.fault(close=close)
    fake.say("hello")
    assert await receive_texts(client, 1) == ["hello"]
    assert log_of(fake)[-1] == "resume 1"


@pytest.mark.parametrize("close", [4007, 4009])
async def test_a_close_code_that_ends_the_session_starts_a_new_one(
    fake: FakePlatform, client: BaseClient, close: int
) -> None:
    fake.fault(close=close)
    await until(lambda: identified(fake) == 2)
    assert not [line for line in log_of(fake) if line.startswith("resume")]
    fake.say("hello")
    assert await receive_texts(client, 1) == ["hello"]
    assert client.cursor["session"] == "session-2"


async def test_a_connection_that_answers_no_heartbeat_is_resumed_on_another(
    open_fake: Callable[..., FakePlatform], start_client: Any
) -> None:
    fake = open_fake("discord", heartbeat_ms=100)
    client = await start_client(fake)
    fake.fault(silent=True)
    await until(lambda: "resume 1" in log_of(fake))
    fake.say("hello")
    assert await receive_texts(client, 1) == ["hello"]
    assert identified(fake) == 1


async def test_answered_heartbeats_keep_a_connection(open_fake: Callable[..., FakePlatform], start_client: Any) -> None:
    fake = open_fake("discord", heartbeat_ms=10)
    await start_client(fake)
    await until(lambda: fake.read("heartbeats") > 20)
    assert len(log_of(fake)) == 1


async def test_a_heartbeat_that_discord_asks_for_is_sent_at_once(
    open_fake: Callable[..., FakePlatform], start_client: Any
) -> None:
    fake = open_fake("discord", heartbeat_ms=3_600_000)
    await start_client(fake)
    # The first heartbeat, which Discord does not request.
    await until(lambda: fake.read("heartbeats") == 1)
    fake.fault(op=1)
    await until(lambda: fake.read("heartbeats") == 2)


async def test_a_request_to_reconnect_is_followed_by_a_resume(fake: FakePlatform, client: BaseClient) -> None:
    fake.fault(op=7)
    fake.say("hello")
    assert await receive_texts(client, 1) == ["hello"]
    assert log_of(fake)[1:] == ["left 4200", "resume 1"]


async def test_a_temporarily_invalid_session_is_resumed_and_an_ended_session_is_replaced(
    fake: FakePlatform, client: BaseClient
) -> None:
    fake.fault(op=9, done=True)
    await until(lambda: log_of(fake)[-1] == "resume 1")
    fake.fault(op=9)
    await until(lambda: identified(fake) == 2)
    fake.say("hello")
    assert await receive_texts(client, 1) == ["hello"]


async def test_a_start_during_an_outage_continues_by_itself(fake: FakePlatform, start_client: Any) -> None:
    fake.fault(on="/gateway/bot", status=503)
    fake.fault(on="/gateway/bot", cut=True)
    client = await start_client(fake)
    await until(lambda: identified(fake) == 1)
    fake.say("hello")
    assert await receive_texts(client, 1) == ["hello"]


async def test_no_session_is_opened_while_discord_allows_none(fake: FakePlatform, start_client: Any) -> None:
    fake.call("limitSessions", {"remaining": 0, "resetMs": 50})
    await start_client(fake)
    await until(lambda: len(fake.requests) > 2)
    assert log_of(fake) == []
    fake.call("limitSessions", {"remaining": 1, "resetMs": 50})
    await until(lambda: len(log_of(fake)) == 1)


async def test_a_large_frame_is_read(fake: FakePlatform, client: BaseClient) -> None:
    text = "x" * (2 * 1024 * 1024)
    fake.say(text)
    assert (await receive(client)).message == text


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Records the gateway's waits before a connection, and ends them at once."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(gateway, "sleep", sleep)
    monkeypatch.setattr("random.random", lambda: 0.5)
    return waited


async def test_waits_for_a_connection_double_up_to_a_minute_each_times_a_random_number(
    fake: FakePlatform, start_client: Any, waits: list[float]
) -> None:
    fake.fault(on="/gateway/bot", status=503, times=8)
    await start_client(fake)
    await until(lambda: identified(fake) == 1)
    assert waits == [0.5, 1, 2, 4, 8, 16, 30, 30]


async def test_an_answered_heartbeat_resets_the_waits(
    open_fake: Callable[..., FakePlatform], start_client: Any, waits: list[float]
) -> None:
    fake = open_fake("discord", heartbeat_ms=20)
    fake.fault(on="/gateway/bot", status=503, times=3)
    await start_client(fake)
    await until(lambda: fake.read("heartbeats") > 2)
    fake.fault(close=1006)
    await until(lambda: "resume 1" in log_of(fake))
    assert waits == [0.5, 1, 2, 0.5]


async def test_an_invalid_session_waits_for_1_to_5_seconds_as_discord_asks(
    fake: FakePlatform, client: BaseClient, waits: list[float]
) -> None:
    fake.fault(op=9, done=True)
    await until(lambda: "resume 1" in log_of(fake))
    assert waits == [3]
