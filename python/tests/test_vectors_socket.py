"""The transcripts of toolkits, played by ``Toolkit`` against a service that a test plays."""

import asyncio
from typing import Any

import pytest

from svc import Toolkit
from tests.support.fixture_toolkit import FIXTURE, REGISTRATIONS, define_fixture
from tests.support.match import Bindings, assert_match, fill_in
from tests.support.repository import vector
from tests.support.running import running
from tests.support.wire_service import WireService, WireSocket, wire_service

TRANSCRIPTS = [each for each in vector("toolkit-socket") if each.get("only") != "service"]
#: The values of patterns in frames that the service sends.
CONCRETE = {"number": 10_000, "string": "text", "invocation": "inv_vector", "agent": "key_vector"}


class Player:
    """Plays the service's part of one transcript."""

    def __init__(self, service: WireService, toolkit: Toolkit, gate: asyncio.Event) -> None:
        self._service = service
        self._toolkit = toolkit
        self._gate = gate
        self._bindings: Bindings = {"actions": REGISTRATIONS}
        self._stopping: asyncio.Task[None] | None = None

    async def play(self, steps: list[dict[str, Any]]) -> None:
        self._socket = await self._service.socket()
        assert self._socket.headers["authorization"] == "Bearer svc_toolkit_vectors"
        for number, step in enumerate(steps):
            if "do" in step:
                await self._do(step["do"])
            elif "close" in step:
                code, _ = await self._socket.closed()
                assert code == step["close"]
            elif step.get("optional"):
                continue
            elif "toolkit" in step:
                assert_match(await self._socket.next(), step["toolkit"], self._bindings, f"step {number} ")
            elif "service" in step:
                await self._socket.send(fill_in(fill_in(step["service"], CONCRETE), self._bindings))
        if self._stopping:
            await self._stopping

    async def _do(self, action: str) -> None:
        if action == "register":
            params = await self._socket.accept(
                accepted=[f"vector__{each['action']}" for each in REGISTRATIONS], heartbeatMs=10_000
            )
            wanted = {"protocol": 1, "instance": "$instance", "actions": "$actions", "unfinished": []}
            assert_match({**params, "toolkit": FIXTURE["toolkit"]}, wanted, self._bindings)
        elif action == "cut":
            self._socket.cut()
            self._socket = await self._service.socket()
        elif action == "move":
            former, self._socket = self._socket, await self._service.socket()
            await _closed(former)
        elif action == "open the gate":
            self._gate.set()
        elif action == "stop":
            self._stopping = asyncio.create_task(self._toolkit.stop())
        elif action != "ask to reconnect":
            raise AssertionError(action)


async def _closed(socket: WireSocket) -> None:
    code, frames = await socket.closed()
    assert (code, frames) == (1000, [])


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda transcript: transcript["name"])
async def test_toolkit_plays(transcript: dict[str, Any]) -> None:
    async with wire_service() as service:
        toolkit = Toolkit("svc_toolkit_vectors", base_url=service.url)
        await toolkit.update_toolkit(**FIXTURE["toolkit"])
        gate = define_fixture(toolkit)
        async with running(toolkit):
            await Player(service, toolkit, gate).play(transcript["steps"])
