"""Clients of the vectors, played by ``Tools`` against a server with scripted answers: each step is a call."""

import json
from typing import Any

from svc import Tools
from tests.support.match import Bindings, assert_absent, assert_match
from tests.support.vector_calls import options_of, play
from tests.support.vector_exchanges import KEY, VectorService
from tests.support.wire_server import wire_server


async def play_client(case: dict[str, Any]) -> None:
    functions, options = _Functions(case), options_of(case.get("options", {}))
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


class _Functions:
    """The functions of a client, which expect the calls of a case in their order."""

    def __init__(self, case: dict[str, Any]) -> None:
        self._credentials = list(case.get("connections", ()))
        self._links = list(case.get("onConnectionRequired", ()))
        self._approvals = list(case.get("onApprovalRequired", ()))
        self.options: dict[str, Any] = {}
        if "connections" in case:
            self.options["connections"] = self._give
        if "onConnectionRequired" in case:
            self.options["on_connection_required"] = lambda required: _answer(self._links, required)
        if "onApprovalRequired" in case:
            self.options["on_approval_required"] = lambda required: _answer(self._approvals, required)

    async def _give(self, toolkit: str, user_id: str | None) -> Any:
        expected = self._credentials.pop(0)
        assert (toolkit, user_id) == (expected["toolkit"], expected["userId"])
        return expected["gives"]

    def assert_all_called(self) -> None:
        assert (self._credentials, self._links, self._approvals) == ([], [], [])


def _answer(expected: list[Any], required: Any) -> Any:
    first = expected.pop(0)
    assert required == first["required"]
    return first["answers"]


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
