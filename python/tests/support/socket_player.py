"""Plays the service's part of a toolkit's transcript."""

import asyncio
from contextlib import suppress
from typing import Any, cast

from websockets.exceptions import ConnectionClosed

from svc import SvcError, Toolkit
from svc.protocol.json_text import to_json
from tests.support.match import Bindings, assert_absent, assert_match, fill_in, fill_in_all
from tests.support.vector_socket import Frames, VectorSocketService
from tests.support.waiting import PATIENCE

KEY = "svc_toolkit_vectors"
UPGRADE = {"path": "/v1/toolkit", "headers": {"authorization": "Bearer $toolkitKey"}}

#: 64 Ki characters of actions, and the frame around them.
_MAX_PART_CHARS = 66_000

Step = dict[str, Any]


class Player:
    """Plays the service's part of one transcript."""

    def __init__(
        self,
        service: VectorSocketService,
        toolkit: Toolkit,
        details: dict[str, Any],
        actions: list[dict[str, Any]],
        gate: asyncio.Event,
        ended: "asyncio.Task[None]",
    ) -> None:
        self._service = service
        self._toolkit = toolkit
        self._details = details
        self._gate = gate
        #: ``run()`` of the toolkit.
        self._ended = ended
        self._bindings: Bindings = {"actions": actions, "toolkitKey": KEY}
        self._sockets: list[Frames] = []
        self._background: list[asyncio.Task[None]] = []

    async def play(self, steps: list[Step]) -> None:
        try:
            if "upgrade" not in steps[0]:
                await self._upgraded({})
            for number, step in enumerate(steps, 1):
                if not step.get("optional"):
                    await self._play(step, f"step {number} ")
            left = [frame for socket in self._sockets for frame in socket.left if not _is_heartbeat(frame)]
            assert left == [], "frames that the transcript does not have"
            assert not self._service.upgrades, "connected again"
        finally:
            for task in self._background:
                task.cancel()
            await asyncio.gather(*self._background, return_exceptions=True)

    async def _play(self, step: Step, place: str) -> None:
        if "upgrade" in step:
            await self._upgraded(step)
        elif "do" in step:
            await self._do(step)
        elif "toolkit" in step:
            frame = await _next_frame(self._socket_of(step), step["toolkit"])
            assert_match(frame, step["toolkit"], self._bindings, place)
            assert_absent(frame, step.get("absent", ()), place)
        elif "service" in step:
            await self._socket_of(step).send(fill_in_all(step["service"], self._bindings))
        elif "serviceCloses" in step:
            closing = step["serviceCloses"]
            await self._socket_of(step).close(closing["code"], closing.get("reason", ""))
        elif "close" in step:
            assert await _answer_until_closed(self._socket_of(step)) == step["close"], place
        elif "ends" in step:
            assert_match(await self._end(), step["ends"], self._bindings, place)
        else:
            # An agent's requests.
            assert set(step) & {"agent", "agentGets", "agentGetsText"}, step

    async def _do(self, step: Step) -> None:
        action = step["do"]
        if action == "register":
            await self._answer_register(self._socket_of(step), step.get("heartbeatMs", 10_000))
        elif action == "cut":
            self._socket_of(step).cut()
            await self._upgraded({})
        elif action == "move":
            former = self._socket_of(step)
            await self._upgraded({"open": [len(self._sockets)]})
            assert await former.closed() == 1000
        elif action == "open the gate":
            self._gate.set()
        elif action == "stop":
            timeout = step["timeoutMs"] / 1000 if "timeoutMs" in step else None
            self._background.append(asyncio.create_task(self._toolkit.stop(timeout=timeout)))
        elif action == "update":
            self._background.append(asyncio.create_task(self._toolkit.update_toolkit(**step["details"])))
        elif action == "take the list":
            await self._take_list(self._socket_of(step), step)
        elif action == "remove an action":
            assert self._toolkit.remove_action(step["action"])
        else:
            assert action in ("ask to reconnect", "revoke the key"), action

    async def _upgraded(self, step: Step) -> None:
        upgrade = await self._service.upgrade()
        expected = step.get("upgrade", UPGRADE)
        assert upgrade.request.path == expected["path"]
        for name, value in expected["headers"].items():
            assert upgrade.request.headers.get(name) == fill_in(value, self._bindings), name
        closed = [number for number in step.get("open", ()) if self._sockets[number - 1].is_closed]
        assert closed == [], "closed before the next is open"
        if refused := step.get("refused"):
            upgrade.refuse(refused["status"], fill_in_all(refused.get("body", {}), self._bindings))
        else:
            self._sockets.append(await upgrade.accept())

    async def _answer_register(self, socket: Frames, heartbeat_ms: int) -> None:
        register = await socket.next()
        params = {"protocol": 1, "instance": "$instance", "actions": "$actions", "unfinished": []}
        assert_match(register, {"method": "register", "params": params}, self._bindings)
        result = {
            "protocol": 1,
            "toolkit": {"id": "vector", **self._details},
            "accepted": [f"vector__{each['action']}" for each in self._bindings["actions"]],
            "rejected": [],
            "awaiting": [],
            "heartbeatMs": heartbeat_ms,
        }
        await socket.send({"jsonrpc": "2.0", "id": register["id"], "result": result})

    async def _take_list(self, socket: Frames, step: Step) -> None:
        """Reads ``actions`` requests until all actions of the list have arrived, each once."""
        taken: list[dict[str, Any]] = []
        while len(taken) < step["size"]:
            frame = await _next_frame(socket, {})
            assert frame["method"] == "actions"
            assert len(to_json(frame)) < _MAX_PART_CHARS
            taken += frame["params"]["actions"]
            answer = {"error": step["error"]} if "error" in step else {"result": {}}
            await socket.send({"jsonrpc": "2.0", "id": frame["id"], **answer})
        names = {each["action"] for each in taken}
        all_actions = cast(list[dict[str, Any]], self._bindings["actions"])
        assert taken == [each for each in all_actions if each["action"] in names]
        assert len(names) == step["size"]

    async def _end(self) -> Any:
        """The error of ``run()``; None without an error."""
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.shield(self._ended)
        except SvcError as error:
            return error.to_json()
        return None

    def _socket_of(self, step: Step) -> Frames:
        number: int = step.get("socket", len(self._sockets))
        return self._sockets[number - 1]


async def _next_frame(socket: Frames, expected: Any) -> Any:
    """Heartbeats between the frames of the transcript are answered: their times are the toolkit's own."""
    while True:
        frame = await socket.next()
        if not _is_heartbeat(frame) or _is_heartbeat(expected):
            return frame
        await _answer_heartbeat(socket, frame)


async def _answer_until_closed(socket: Frames) -> int | None:
    """A toolkit may request the confirmation of its results before it closes."""
    closed = asyncio.create_task(socket.closed())
    while not closed.done():
        if heartbeat := socket.take_if(_is_heartbeat):
            # The toolkit may close without waiting for the answer.
            with suppress(ConnectionClosed):
                await _answer_heartbeat(socket, heartbeat)
        await asyncio.wait({closed}, timeout=0.005)
    return await closed


def _is_heartbeat(frame: Any) -> bool:
    return isinstance(frame, dict) and frame.get("method") == "heartbeat"


async def _answer_heartbeat(socket: Frames, heartbeat: Any) -> None:
    await socket.send({"jsonrpc": "2.0", "id": heartbeat["id"], "result": {}})
