"""``call_tools``, ``answer_tool`` and ``call_tool``: every tool call of a model gets an answer."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessage
from pydantic import BaseModel

from svc import SvcError, Tools
from tests.support.waiting import PATIENCE
from tests.support.wire_server import Received, Reply, WireServer, wire_server

KEY = "svc_agent_test"
UNIQUE = "call_9fKq2LmZ7xTb4vWnR1sYc8Hd"
FOUND = {"actions": [{"action": "a__b", "description": "B", "payloadSchema": {}}]}


def call(name: str, arguments: Any = "{}", call_id: str = "call_0") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def invoked(result: Any, **members: Any) -> Reply:
    return Reply(body={"invocationId": "inv_1", "result": result, **members})


def tools(server: WireServer, **options: Any) -> Tools:
    return Tools(KEY, base_url=server.url, **options)


@pytest.mark.parametrize("nothing", [None, [], ()])
async def test_no_tool_calls_have_no_answers(nothing: Any) -> None:
    assert await Tools().call_tools(nothing) == []


async def test_answers_come_in_the_order_of_the_calls() -> None:
    def answer(request: Received) -> Reply:
        return Reply(body=FOUND) if request.path == "/v1/search" else invoked(request.body["payload"])

    calls = [
        call("invoke_service", '{"action": "a__b", "payload": {"n": 1}}', "1"),
        call("search_services", '{"query": "b"}', "2"),
        call("a__b", '{"é": "ü"}', "3"),
        call("no tool", "{}", "4"),
        call("a__b", "{broken", "5"),
        {"id": "6", "type": "custom", "custom": {"name": "x"}},
        "not a call",
    ]
    async with wire_server(answer) as server, tools(server) as client:
        messages = await client.call_tools(calls)
    assert [message["tool_call_id"] for message in messages] == ["1", "2", "3", "4", "5", "6", ""]
    assert {message["role"] for message in messages} == {"tool"}
    contents = [message["content"] for message in messages]
    assert contents[0] == '{"n":1}'
    assert json.loads(contents[1]) == FOUND
    assert contents[2] == '{"é":"ü"}'
    codes = [json.loads(content)["error"]["code"] for content in contents[3:]]
    assert codes == ["UNKNOWN_TOOL", "INVALID_REQUEST", "UNKNOWN_TOOL", "UNKNOWN_TOOL"]
    assert 'There is no tool \\"no tool\\". Find actions with search_services' in contents[3]


async def test_objects_of_openai_and_others_are_read() -> None:
    class Function(BaseModel):
        name: str
        arguments: str

    class Call(BaseModel):
        id: str
        function: Function

    @dataclass
    class Plain:
        id: str
        function: Function

    message = ChatCompletionMessage.model_validate(
        {"role": "assistant", "content": None, "tool_calls": [call("a__b", '{"n": 1}', "1")]}
    )
    function = Function(name="a__b", arguments='{"n": 1}')
    lists: list[Any] = [message.tool_calls, [Call(id="1", function=function)], [Plain("1", function)]]
    async with wire_server(invoked("done")) as server, tools(server) as client:
        for each in lists:
            assert await client.call_tools(each) == [{"role": "tool", "tool_call_id": "1", "content": "done"}]
        assert [request.body for request in server.received] == [{"action": "a__b", "payload": {"n": 1}}] * 3
        with pytest.raises(SvcError, match=r"takes the list `message.tool_calls`, not the message"):
            await client.call_tools(message)


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        ("", {}),
        ("  ", {}),
        (None, {}),
        ('"{\\"n\\": 1}"', {"n": 1}),
        ({"n": 1}, {"n": 1}),
        ('{"action": "a__b", "n": 9007199254740991}', {"action": "a__b", "n": 2**53 - 1}),
    ],
)
async def test_arguments_as_models_write_them(arguments: Any, sent: Any) -> None:
    async with wire_server(invoked(None)) as server, tools(server) as client:
        await client.call_tool("invoke_service", arguments)
    assert server.received[0].body == sent


async def test_a_plainly_unique_id_makes_the_key_and_any_other_a_fresh_one() -> None:
    async with wire_server(invoked(1)) as server, tools(server) as client:
        for arguments in ('{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":1,"b":3}'):
            await client.call_tools([call("a__b", arguments, UNIQUE)])
        await client.call_tools([call("a__b", "{}", "call_0"), call("a__b", "{}", "call_0")])
    keys = [request.headers["idempotency-key"] for request in server.received]
    assert [len(key) for key in keys] == [64, 64, 64, 32, 32]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 4


async def test_a_key_of_the_list_names_each_call_by_its_place() -> None:
    async with wire_server(invoked(1)) as server, tools(server, concurrency=1) as client:
        calls = [call("a__b"), call("search_services", '{"query":"x"}'), call("a__b", "{}", UNIQUE)]
        await client.call_tools(calls, idempotency_key="turn/3")
        with pytest.raises(SvcError, match="idempotency_key must be 1 to 250 visible"):
            await client.call_tools(calls, idempotency_key="x" * 251)
    keys = [request.headers.get("idempotency-key") for request in server.received]
    assert keys[:1] + keys[-1:] == ["turn/3/0", "turn/3/2"]
    assert keys[1] is None


async def test_calls_run_at_the_same_time_up_to_the_limit() -> None:
    running = most = 0

    class Counting(Tools):
        async def call_tool(self, name: str, arguments: Any, **options: Any) -> Any:
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1
            return name

    answers = await Counting(concurrency=3).call_tools([call(str(number)) for number in range(8)])
    assert most == 3
    assert [answer["content"] for answer in answers] == [str(number) for number in range(8)]


async def test_a_raising_callback_ends_the_list_and_cancels_the_rest() -> None:
    def answer(request: Received) -> Reply:
        if request.body["payload"] == {"slow": True}:
            return Reply(silent=True)
        return invoked(1, payment={"authorised": "1", "charged": "1", "currency": "USD"})

    def refuse(payment: Any, call_id: str) -> None:
        raise RuntimeError(f"no money for {call_id}")

    async with wire_server(answer) as server, tools(server) as client:
        calls = [call("a__b", '{"slow":true}', "1"), call("a__b", "{}", "2")]
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(RuntimeError, match="no money for 2"):
                await client.call_tools(calls, on_payment=refuse)
        assert await _left(server) == 1


async def test_cancelling_the_task_closes_the_request() -> None:
    async with wire_server(Reply(silent=True)) as server, tools(server) as client:
        calling = asyncio.ensure_future(client.call_tools([call("a__b")]))
        # A task that is cancelled before it has sent anything closes nothing.
        async with asyncio.timeout(PATIENCE):
            while not server.received:
                await asyncio.sleep(0.005)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        assert await _left(server) == 1


async def _left(server: WireServer) -> int:
    async with asyncio.timeout(PATIENCE):
        while server.left == 0:
            await asyncio.sleep(0.005)
    return server.left


async def test_an_answer_has_blocks_media_and_payment_and_the_content_has_words() -> None:
    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    payment = {"authorised": "0.05", "charged": "0.03", "currency": "USD"}
    content = [{"type": "image", "data": png, "mimeType": "image/png"}]
    paid: list[Any] = []
    async with wire_server(invoked({"width": 1}, content=content, payment=payment)) as server:
        async with tools(server) as client:
            answer = await client.answer_tool("a__b", {}, on_payment=paid.append)
    assert answer.content == '{"result":{"width":1},"content":["[image image/png, 70 bytes]"]}'
    assert answer.value == json.loads(answer.content)
    assert answer.blocks == [{"type": "text", "text": '{"width":1}'}, *content]
    assert [(each.media_type, each.data) for each in answer.media] == [("image/png", png)]
    assert (answer.payment, paid, answer.error) == (payment, [payment], None)


async def test_a_subclass_that_changes_a_result_shows_no_blocks_of_the_old_result() -> None:
    class Careful(Tools):
        async def call_tool(self, name: str, arguments: Any, **options: Any) -> Any:
            await super().call_tool(name, arguments, **options)
            return "removed"

    content = [{"type": "text", "text": "secret"}]
    async with wire_server(invoked("x", content=content)) as server:
        async with Careful(KEY, base_url=server.url) as client:
            answer = await client.answer_tool("a__b", {})
    assert (answer.content, answer.blocks, answer.media) == ("removed", (), [])


async def test_a_long_result_is_cut_with_a_note() -> None:
    async with wire_server(invoked("x" * 5_000)) as server, tools(server, max_result_chars=1_000) as client:
        text = await client.call_tool("a__b", {})
        assert server.received[0].headers["svc-max-result-chars"] == "1000"
    assert text.startswith("x" * 1_000 + "\n[Cut: 5000 characters, these are the first 1000.")


async def test_an_error_is_an_answer_and_an_exception_of_call_tool() -> None:
    problem = {"code": "ACTION_FAILED", "detail": "It failed", "cause": {"code": "NO_LUCK", "message": "It failed"}}
    async with wire_server(Reply(502, problem)) as server, tools(server) as client:
        answer = await client.answer_tool("a__b", {})
        with pytest.raises(SvcError, match="It failed"):
            await client.call_tool("a__b", {})
    assert answer.error is not None
    assert answer.error.details["cause"]["code"] == "NO_LUCK"
    assert json.loads(answer.content) == {"error": answer.error.to_json()} == answer.value
    assert answer.error.to_json()["retryable"] is False


async def test_progress_reaches_plain_and_asynchronous_callbacks() -> None:
    events = (
        'event: progress\ndata: {"progress":1,"total":2}\n\nevent: progress\ndata: {"progress":"?"}\n\n'
        'event: progress\ndata: {"progress":2,"message":"a\u2028b"}\n\n'
        'event: result\ndata: {"invocationId":"inv_1","result":"done"}\n\n'
    )
    reply = Reply(raw=events.encode(), headers={"content-type": "text/event-stream"})
    seen: list[Any] = []

    async def later(progress: Any) -> None:
        await asyncio.sleep(0)
        seen.append(progress)

    async with wire_server(reply) as server, tools(server) as client:
        assert (await client.invoke("a__b", on_progress=later))["result"] == "done"
        named: list[Any] = []
        await client.call_tools([call("a__b")], on_progress=lambda *given: named.append(given))
        assert server.received[0].headers["accept"] == "text/event-stream"
    assert seen == [{"progress": 1, "total": 2}, {"progress": 2, "message": "a\u2028b"}]
    assert named[0] == (seen[0], "call_0")


@pytest.mark.parametrize("query", ['{"query": ""}', '{"q": "x"}', "[]", '{"query": 1}'])
async def test_the_error_for_a_search_without_a_query_says_what_to_write(query: str) -> None:
    with pytest.raises(SvcError, match=r'search_services needs \{"query": "…"\}'):
        await Tools(KEY).call_tool("search_services", query)


async def test_the_lower_limit_of_a_payment_counts() -> None:
    async with wire_server(invoked(1)) as server, tools(server, max_payment="0.05") as client:
        await client.invoke("a__b")
        await client.invoke("a__b", max_payment="0.1")
        await client.call_tool("a__b", {}, max_payment="0.010")
        with pytest.raises(SvcError, match=r'max_payment must be a decimal text .* not "1e3"'):
            await client.invoke("a__b", max_payment="1e3")
    assert [each.headers["svc-max-payment"] for each in server.received] == ["0.05", "0.05", "0.010"]


async def test_definitions_are_copies_with_the_same_bytes() -> None:
    client = Tools()
    first = await client.get_tools()
    before = json.dumps(first)
    first[0]["function"]["parameters"].clear()
    assert json.dumps(await client.get_tools()) == before
