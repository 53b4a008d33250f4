"""The transcripts of toolkits, played by ``Toolkit`` against a scripted service."""

import asyncio
from typing import Any

import pytest

from svc import Toolkit
from tests.support.connected_toolkit import CONNECTED, define_connected
from tests.support.fixture_toolkit import FIXTURE, define_fixture, define_more, registrations
from tests.support.repository import vector
from tests.support.running import running
from tests.support.socket_player import KEY, Player
from tests.support.vector_socket import vector_socket_service

TRANSCRIPTS = [each for each in vector("toolkit-socket") if each.get("only") != "service"]
OF_CONNECTIONS = [each for each in CONNECTED["transcripts"] if each.get("only") != "service"]


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda transcript: transcript["name"])
async def test_toolkit_plays(transcript: dict[str, Any]) -> None:
    async with vector_socket_service() as service:
        toolkit = Toolkit(KEY, base_url=service.url, on_status=lambda _: None, **transcript.get("options", {}))
        await toolkit.update_toolkit(**FIXTURE["toolkit"])
        long = transcript.get("long", ())
        gate = define_fixture(toolkit, long)
        more = define_more(toolkit, transcript.get("more", 0))
        async with running(toolkit) as task:
            player = Player(service, toolkit, FIXTURE["toolkit"], [*registrations(long), *more], gate, task)
            await player.play(transcript["steps"])


@pytest.mark.parametrize("transcript", OF_CONNECTIONS, ids=lambda transcript: transcript["name"])
async def test_toolkit_plays_connections(transcript: dict[str, Any]) -> None:
    async with vector_socket_service() as service:
        toolkit = Toolkit(KEY, base_url=service.url, on_status=lambda _: None)
        await toolkit.update_toolkit(**CONNECTED["toolkit"])
        actions = define_connected(toolkit)
        async with running(toolkit) as task:
            player = Player(service, toolkit, CONNECTED["toolkit"], actions, asyncio.Event(), task)
            await player.play(transcript["steps"])
