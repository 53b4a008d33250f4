"""Tools for programs of the model's provider: which there are, and the answers to their calls."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from svc import SvcError, Tools
from svc.ai.agent_tool import load_agent_tools, read_options
from svc.ai.openai import load_svc_responses_tools, next_request, svc_responses_tools, svc_tools
from tests.support.wire_server import Received, Reply, WireServer, wire_server

KEY = "svc_agent_key"
CALLERS = ["direct", "programmatic"]
FAILED = {"type": "object", "properties": {"error": {"type": "object"}}, "required": ["error"]}
ORDER = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}


def action(name: str, **members: Any) -> dict[str, Any]:
    return {"action": f"shop__{name}", "description": f"The {name}", "payloadSchema": {"type": "object"}, **members}


ACTIONS = [
    action("look", annotations={"readOnly": True}, resultSchema=ORDER),
    action("put", annotations={"idempotent": True}, resultSchema={"description": "The id"}),
    action("drop", annotations={"idempotent": True, "destructive": True}),
    action("send"),
    action("report", annotations={"readOnly": True}, payment={"amount": "0.05", "currency": "EUR"}),
    action("tree", annotations={"readOnly": True}, resultSchema={"$ref": "#/properties/a", "properties": {"a": ORDER}}),
    action("list", annotations={"readOnly": True}, resultSchema={"type": "array", "items": {"$ref": "#/$defs/order"}}),
]
ACTIONS[-1]["resultSchema"]["$defs"] = {"order": ORDER}


@asynccontextmanager
async def shop(**results: Reply) -> AsyncIterator[tuple[WireServer, Tools]]:
    """A service with the actions; a call is answered with the reply of this name."""

    def answer(request: Received) -> Reply:
        if request.method == "GET":
            return Reply(body={"actions": ACTIONS})
        return results[request.body["action"].removeprefix("shop__")]

    async with wire_server(answer) as server, Tools(KEY, base_url=server.url) as tools:
        yield server, tools


async def programs_of(tools: Tools, **rules: Any) -> dict[str, Any]:
    read = read_options(tools, {"programmatic": True, "static_toolkits": ["shop"], **rules}, programs=True)
    loaded = await load_agent_tools(read)
    return {tool.name.removeprefix("shop__"): tool.program for tool in loaded if tool.program}


async def test_programs_call_what_may_run_twice_and_needs_no_human() -> None:
    safe = {"look", "put", "report", "tree", "list"}
    async with shop() as (_, tools):
        assert {*await programs_of(tools, needs_approval=False)} == {"search_services", "invoke_service", *safe}
        assert {*await programs_of(tools)} == {"search_services", *safe}
        above = await programs_of(tools, needs_approval=False, ask_above="0.50")
        assert {*above} == {"search_services", *safe - {"report"}}
        for asks in (True, lambda *call: False):
            assert await programs_of(tools, needs_approval=asks) == {}
        assert await programs_of(tools, programmatic=False) == {}


async def test_a_tool_for_programs_says_what_it_returns() -> None:
    async with shop() as (_, tools):
        programs = await programs_of(tools, needs_approval=False)
    assert programs["look"].description.endswith("The look\nReturns {id:int}")
    assert programs["look"].output_schema == {"anyOf": [ORDER, FAILED]}
    assert programs["put"].description.endswith("\nReturns any/*The id*/")
    # A text says no type, and a moved reference would lead elsewhere.
    assert programs["put"].output_schema is programs["tree"].output_schema is None
    assert programs["list"].output_schema == {
        "anyOf": [{"type": "array", "items": {"$ref": "#/$defs/order"}}, FAILED],
        "$defs": {"order": ORDER},
    }
    assert programs["search_services"].output_schema is None


async def test_the_responses_api_gets_the_callers_of_each_function() -> None:
    async with shop() as (_, tools):
        loaded = await load_svc_responses_tools(tools, programmatic=True, static_toolkits=["shop"])
        hosted, *functions = loaded
        plain = await load_svc_responses_tools(tools, static_toolkits=["shop"])
    assert hosted == {"type": "programmatic_tool_calling"}
    by_name = {function["name"].removeprefix("shop__"): function for function in functions}
    assert by_name["look"]["allowed_callers"] == CALLERS
    assert by_name["look"]["output_schema"] == {"anyOf": [ORDER, FAILED]}
    assert by_name["search_services"]["allowed_callers"] == by_name["invoke_service"]["allowed_callers"] == CALLERS
    assert by_name["send"].keys().isdisjoint({"allowed_callers", "output_schema"})
    without = [
        {name: value for name, value in function.items() if name not in ("allowed_callers", "output_schema")}
        for function in functions
    ]
    assert without == plain


def call(name: str, caller: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": f"call_{name}", "name": f"shop__{name}", "arguments": "{}", **caller}


async def test_a_program_reads_json_and_the_service_knows_that_it_called() -> None:
    program = {"caller": {"type": "program", "caller_id": "call_program"}}
    denied = {"code": "CALL_DIRECTLY", "detail": "Call it yourself, not from the program"}
    noted = {"invocationId": "inv_1", "result": {"id": 1}, "repaired": ["id was a text"]}
    replies = {
        "look": Reply(body={"invocationId": "inv_1", "result": "a text"}),
        "list": Reply(body=noted),
        "put": Reply(body={"invocationId": "inv_1", "result": None}),
        "send": Reply(403, denied),
    }
    async with shop(**replies) as (server, tools):
        items = [call(name, program) for name in replies] + [call("look", {}), call("list", {})]
        answered = await svc_responses_tools(tools, programmatic=True).call_tools(items)
    outputs = [item["output"] for item in answered]
    assert outputs[:3] == ['"a text"', '{"id":1}', "null"]
    assert json.loads(outputs[3])["error"]["code"] == "CALL_DIRECTLY"
    assert outputs[4:] == ["a text", '{"result":{"id":1},"note":"id was a text"}']
    callers = sorted(request.headers.get("svc-caller", "") for request in server.received)
    assert callers == ["", "", "program", "program", "program", "program"]


@pytest.mark.parametrize(
    ("kinds", "status", "results", "done"),
    [
        (["message"], "completed", [], True),
        (["function_call"], "completed", ["result"], False),
        (["program"], "completed", [], False),
        (["reasoning", "program_output"], None, [], False),
        (["program", "program_output", "message"], "completed", [], True),
        (["program"], "incomplete", [], True),
        ([], "completed", [], True),
    ],
)
def test_the_loop_goes_on_in_the_middle_of_a_program(
    kinds: list[str], status: str | None, results: list[Any], done: bool
) -> None:
    output = [{"type": kind} for kind in kinds]
    following = next_request({"output": output, "status": status}, results)
    assert following == {"input": [*output, *results], "done": done}


def test_tools_without_an_api_that_runs_programs_refuse_the_option() -> None:
    with pytest.raises(SvcError, match="programmatic has no effect here") as refused:
        svc_tools(api_key=KEY, programmatic=True)
    assert refused.value.code == "INVALID_REQUEST"


async def test_a_call_of_a_tool_has_its_own_deadline() -> None:
    async with shop(look=Reply(body={"invocationId": "inv_1", "result": 1})) as (server, tools):
        await tools.call_tool("shop__look", {}, longest=20)
        await tools.call_tool("shop__look", {}, longest=2_000)
        with pytest.raises(SvcError, match="timeout must be"):
            await tools.call_tool("shop__look", {}, longest=0)
    timeouts = [int(request.headers["svc-timeout-ms"]) for request in server.received]
    assert timeouts[0] <= 20_000 < timeouts[1] <= 60_000
