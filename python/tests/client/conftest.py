import random
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from svc.client.base import BaseClient
from svc.client.discord import DiscordClient
from svc.client.telegram import TelegramClient
from svc.client.x import XClient
from tests.client.fake_platform import FakePlatform, FakeProcess

#: Creates a client that is stopped when the test ends.
MakeClient = Callable[..., BaseClient]
CLIENTS: dict[str, Callable[..., BaseClient]] = {"telegram": TelegramClient, "discord": DiscordClient, "x": XClient}


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def fake_process() -> Iterator[FakeProcess]:
    process = FakeProcess()
    yield process
    process.close()


@pytest.fixture(autouse=True)
def no_jitter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits with jitter end at once."""
    monkeypatch.setattr(random, "random", lambda: 0.0)


@pytest.fixture
def open_fake(fake_process: FakeProcess) -> Callable[..., FakePlatform]:
    return lambda platform, **options: FakePlatform(fake_process, platform, **options)


@pytest.fixture
async def make_client() -> AsyncIterator[MakeClient]:
    made: list[BaseClient] = []

    def make(fake: FakePlatform, *, wrong: bool = False, **options: Any) -> BaseClient:
        credentials = fake.wrong_credentials if wrong else fake.client_options
        client = CLIENTS[fake.platform](**{**credentials, **options})
        made.append(client)
        return client

    yield make
    for client in made:
        await client.stop()


@pytest.fixture
def start_client(make_client: MakeClient) -> Callable[..., Any]:
    async def start(fake: FakePlatform, cursor: object = None, **options: Any) -> BaseClient:
        client = make_client(fake, **options)
        client.cursor = cursor
        await client.start()
        return client

    return start
