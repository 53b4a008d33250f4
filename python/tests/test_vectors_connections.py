"""Connections of a caller, played by ``Tools`` against a server with scripted answers."""

import json
from typing import Any

import pytest

from svc import SvcError, Tools
from tests.support.match import Bindings, assert_absent, assert_match, fill_in
from tests.support.repository import vector
from tests.support.vector_exchanges import KEY, VectorService
from tests.support.wire_server import Reply, wire_server
from tests.test_vectors_http import named, options_of, play

VECTORS = vector("connections")
INVOKED = Reply(body={"invocationId": "inv_1", "result": None})


@pytest.mark.parametrize("case", VECTORS["credentials"], ids=named)
async def test_the_header_of_a_credential(case: dict[str, Any]) -> None:
    credential = fill_in(case["credential"], {})
    async with wire_server(INVOKED) as server, Tools(KEY, base_url=server.url) as tools:
        if case["header"] is not None:
            await tools.invoke(f"{case['toolkit']}__list", connection=credential)
            assert server.received[0].headers["svc-connections"] == case["header"]
            return
        with pytest.raises(SvcError) as refused:
            await tools.invoke(f"{case['toolkit']}__list", connection=credential)
        assert refused.value.code == "INVALID_REQUEST"
        assert "secr" not in str(refused.value)
        assert server.received == []


@pytest.mark.parametrize("case", VECTORS["choices"], ids=named)
async def test_the_header_of_chosen_connections(case: dict[str, Any]) -> None:
    names = fill_in(case["connectionNames"], {})
    async with wire_server(INVOKED) as server:
        if case.get("error"):
            with pytest.raises(SvcError, match="connection") as refused:
                Tools(KEY, base_url=server.url, connection_names=names)
            assert refused.value.code == "INVALID_REQUEST"
            return
        async with Tools(KEY, base_url=server.url, connection_names=names) as tools:
            await tools.invoke("github__list")
        assert server.received[0].headers.get("svc-connection-names") == case["header"]


class Functions:
    """The functions of a client, which expect the calls of a case in their order."""

    def __init__(self, case: dict[str, Any]) -> None:
        self._credentials = list(case.get("connections", ()))
        self._answers = list(case.get("onConnectionRequired", ()))
        self.options: dict[str, Any] = {}
        if "connections" in case:
            self.options["connections"] = self._give
        if "onConnectionRequired" in case:
            self.options["on_connection_required"] = self._answer

    async def _give(self, toolkit: str, user_id: str | None) -> Any:
        expected = self._credentials.pop(0)
        assert (toolkit, user_id) == (expected["toolkit"], expected["userId"])
        return expected["gives"]

    def _answer(self, required: Any) -> Any:
        expected = self._answers.pop(0)
        assert required == expected["required"]
        return expected["answers"]

    def assert_all_called(self) -> None:
        assert (self._credentials, self._answers) == ([], [])


@pytest.mark.parametrize("case", VECTORS["clients"], ids=named)
async def test_a_client_plays(case: dict[str, Any]) -> None:
    functions, options = Functions(case), options_of(case.get("options", {}))
    bindings: Bindings = {}
    steps = [(step, VectorService(step["exchanges"], bindings)) for step in case["steps"]]
    current = steps[0][1]
    async with wire_server(lambda received: current.answer(received)) as server:
        async with Tools(KEY, base_url=server.url, **options, **functions.options) as tools:
            for step, current in steps:
                client = tools.for_user(**options_of(step["for"])) if "for" in step else tools
                await _play_step(client, step, bindings)
                current.assert_each_came_once("callTools" if "toolCalls" in step else step["call"]["method"])
    functions.assert_all_called()


async def _play_step(tools: Tools, step: dict[str, Any], bindings: Bindings) -> None:
    if "toolCalls" not in step:
        outcome = await play(tools, step["call"])
        assert_match(outcome, step["outcome"], bindings)
        assert_absent(outcome, step.get("absent", ()))
        return
    said = await tools.call_tools(step["toolCalls"])
    assert len(said) == len(step["messages"])
    for message, wanted in zip(said, step["messages"], strict=True):
        is_text = isinstance(wanted["content"], str)
        read = message if is_text else {**message, "content": json.loads(message["content"])}
        assert_match(read, {name: wanted[name] for name in wanted if name != "absent"}, bindings)
        assert_absent(read, wanted.get("absent", ()))
