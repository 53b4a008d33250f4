import json
from typing import Any

import pytest
from anthropic import AsyncAnthropic
from anthropic.lib.tools import ToolError

from svc.ai.anthropic import SvcTools, load_svc_tools, next_request, svc_tools
from svc.ai.anthropic.recursive import is_recursive
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver, ShownImage
from tests.ai.example import runs_programs
from tests.ai.stage import PNG, Stage
from tests.support.wire_server import Reply, wire_server


async def make_tools(conversing: Conversing) -> SvcTools:
    options = conversing.options
    return await load_svc_tools(**options) if conversing.static else svc_tools(**options)


def client_of(conversing: Conversing) -> AsyncAnthropic:
    return AsyncAnthropic(base_url=conversing.model.origin, api_key="any", max_retries=0)


def text_of(content: Any) -> str:
    return "".join(block.text for block in content if block.type == "text")


async def by_runner(conversing: Conversing) -> str:
    tools = await make_tools(conversing)
    async with client_of(conversing) as anthropic:
        runner = anthropic.beta.messages.tool_runner(
            model="scripted-model",
            max_tokens=1_000,
            messages=[{"role": "user", "content": conversing.question}],
            tools=tools,
            max_iterations=10,
            thread=False,
        )
        return text_of((await runner.until_done()).content)


async def by_loop(conversing: Conversing) -> str:
    tools = await make_tools(conversing)
    messages: list[Any] = [{"role": "user", "content": conversing.question}]
    async with client_of(conversing) as anthropic:
        while True:
            message = await anthropic.messages.create(
                model="scripted-model", max_tokens=1_000, messages=messages, tools=tools
            )
            results = await tools.call_tools(
                message.content,
                on_progress=lambda progress, _: conversing.on_progress(progress),
                on_payment=lambda payment, _: conversing.on_payment(payment),
            )
            if not results:
                return text_of(message.content)
            messages += [
                {"role": "assistant", "content": message.content},
                {"role": "user", "content": results},
            ]


NOT_ON_THE_WIRE = "The arguments are an object on this wire"
CANNOT: Any = {
    "empty_arguments": NOT_ON_THE_WIRE,
    "null_arguments": NOT_ON_THE_WIRE,
    "cut_arguments": NOT_ON_THE_WIRE,
}
IMAGE = ShownImage(
    block={"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}, always=True
)

test_contract = contract_of(
    Driver(
        adapter="anthropic",
        use="a tool runner",
        package="anthropic",
        converse=by_runner,
        cannot=CANNOT
        | {
            "approval": "A runner has no approval before a call",
            "progress": "A runner shows nothing of a tool while it runs",
            "payments": "A runner accepts only the content of a result",
            "parallel": "A runner runs the calls of a message one after the other",
            "call_ids": "A runner passes the arguments alone",
        },
        image=IMAGE,
    ),
    Driver(
        adapter="anthropic",
        use="a loop around messages.create",
        package="anthropic",
        converse=by_loop,
        cannot=CANNOT | {"approval": "The loop is the user's own, which asks before call_tools"},
        image=IMAGE,
    ),
)

test_program = runs_programs("anthropic", "anthropic_runner")


async def test_the_result_of_a_call_that_code_made_is_a_text(stage: Stage) -> None:
    block = {"type": "tool_use", "name": "invoke_service", "input": {"action": "probe__show", "payload": {}}}
    code = {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}
    content = [
        {**block, "id": "toolu_1", "caller": code},
        {**block, "id": "toolu_2", "caller": {"type": "direct"}},
    ]
    of_code, direct = await svc_tools(stage.tools).call_tools(content)
    assert "[image image/png" in of_code["content"]
    assert [part["type"] for part in direct["content"]] == ["text", "image"]


CODE: Any = {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}


async def test_programs_get_json_and_are_refused_what_must_not_run_twice(stage: Stage) -> None:
    tools = await load_svc_tools(stage.tools, programmatic=True, static_actions=["weather__today", "probe__count"])
    assert tools[0] == {"type": "code_execution_20260120", "name": "code_execution"}
    callers = {tool["name"]: tool.get("allowed_callers") for tool in tools[1:]}
    both = ["direct", "code_execution_20260120"]
    assert callers == {
        **dict.fromkeys(("search_services", "invoke_service", "weather__today"), both),
        "probe__count": None,
    }
    call = {"type": "tool_use", "name": "invoke_service", "caller": CODE}
    content = [
        {**call, "id": "toolu_1", "input": {"action": "weather__today", "payload": {"city": "Rome"}}},
        {**call, "id": "toolu_2", "input": {"action": "probe__erase", "payload": {"name": "all"}}},
    ]
    read, refused = await tools.call_tools(content)
    assert read == {"type": "tool_result", "tool_use_id": "toolu_1", "content": '{"city":"Rome","celsius":21}'}
    assert refused["is_error"] is True
    assert json.loads(refused["content"])["error"]["code"] == "CALL_DIRECTLY"
    assert stage.erased == []


async def test_a_program_has_its_result_before_the_api_ends_its_call() -> None:
    async with wire_server(Reply(body={"invocationId": "inv_1", "result": "a text"})) as server:
        tools = svc_tools(api_key="svc_agent_key", base_url=server.url, timeout=600, programmatic=True)
        call = {"type": "tool_use", "name": "invoke_service", "input": {"action": "a__b", "payload": {}}}
        results = await tools.call_tools([{**call, "id": "toolu_1", "caller": CODE}, {**call, "id": "toolu_2"}])
    assert [result["content"] for result in results] == ['"a text"', "a text"]
    timeouts = {
        request.headers.get("svc-caller"): int(request.headers["svc-timeout-ms"]) for request in server.received
    }
    assert timeouts["program"] <= 200_000 < timeouts[None] <= 600_000


def test_the_next_request_keeps_the_container_and_ends_with_the_model() -> None:
    content: list[Any] = [{"type": "text", "text": "Hm"}]
    message = {"content": content, "stop_reason": "tool_use", "container": {"id": "container_1"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "1"}
    assistant = {"role": "assistant", "content": content}
    assert next_request(message, [result]) == {
        "messages": [assistant, {"role": "user", "content": [result]}],
        "container": "container_1",
        "done": False,
    }
    ended = next_request({"content": content, "stop_reason": "end_turn", "container": None}, [])
    assert ended == {"messages": [assistant], "container": None, "done": True}
    assert next_request({"content": content, "stop_reason": "pause_turn"}, [])["done"] is False


async def test_a_runner_which_does_not_say_who_called_runs_nothing(stage: Stage) -> None:
    tools = svc_tools(stage.tools, programmatic=True)
    with pytest.raises(ToolError, match="tools need a loop of your own"):
        await tools[2].call({"action": "probe__erase", "payload": {"name": "all"}})
    assert stage.erased == []


@pytest.mark.parametrize(
    ("schema", "recursive"),
    [
        ({"properties": {"a": {"$ref": "#/$defs/a"}, "b": {"$ref": "#/$defs/a"}}, "$defs": {"a": {}}}, False),
        ({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}}, True),
        ({"properties": {"a": {"$ref": "#"}}}, True),
        ({"properties": {"a": {"anyOf": [{"$ref": "#/$defs/a~1b"}]}}, "$defs": {"a/b": {"$ref": "#"}}}, True),
        ({"properties": {"a": {"$ref": "https://example.com/a.json"}, "b": {"$ref": "#/$defs/none"}}}, False),
    ],
)
def test_a_recursive_schema_is_found(schema: dict[str, Any], recursive: bool) -> None:
    assert is_recursive(schema) is recursive
