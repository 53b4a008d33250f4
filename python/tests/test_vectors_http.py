"""The transcripts of agents, played by ``Tools`` against a server with scripted answers."""

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest

from svc import ActionContext, Toolkit, Tools
from svc.testing import LocalService
from tests.support.match import Bindings, assert_absent, assert_match
from tests.support.repository import vector
from tests.support.running import serving
from tests.support.vector_calls import named, options_of, play
from tests.support.vector_exchanges import KEY, assert_request, reply_of, vector_service
from tests.support.wire_server import Reply, wire_server

EXCHANGES = [each for each in vector("agent-http") if "call" in each]
SEARCH_IDS = [each for each in vector("search-ids") if "call" in each]


@pytest.mark.parametrize("exchange", EXCHANGES, ids=named)
async def test_tools_plays(exchange: dict[str, Any]) -> None:
    call, outcome = exchange["call"], exchange["outcome"]
    bindings: Bindings = {}
    progress: list[Any] | None = [] if "progress" in outcome else None
    async with vector_service([exchange], bindings) as service:
        async with Tools(KEY, base_url=service.url, **options_of(call.get("options", {}))) as tools:
            said = await play(tools, call, progress)
    service.assert_each_came_once(call["method"], has_listener=progress is not None)
    assert_match({**said, "progress": progress}, outcome, bindings)


async def test_one_client_sends_the_search_ids_of_the_transcript() -> None:
    bindings: Bindings = {}
    replies = [reply_of(each["response"], bindings) for each in SEARCH_IDS]
    async with wire_server(*replies) as server, Tools(KEY, base_url=server.url) as tools:
        for each in SEARCH_IDS:
            await play(tools, each["call"])
            assert_request(server.received[-1], each, bindings, each["call"]["method"])


async def test_get_tools_makes_no_request_and_gives_exactly_these_bytes() -> None:
    async with vector_service([], {}) as service, Tools(KEY, base_url=service.url) as tools:
        assert json.dumps(await tools.get_tools()) == json.dumps(vector("tools"))
    assert service.received == []


async def test_the_third_tool_has_exactly_these_bytes() -> None:
    async with vector_service([], {}) as service, Tools(KEY, base_url=service.url, code=True) as tools:
        assert json.dumps(await tools.get_tools()) == json.dumps([*vector("tools"), vector("run-code")["tool"]])
    assert service.received == []


@pytest.mark.parametrize("case", vector("call-tools"), ids=named)
async def test_call_tools_plays(case: dict[str, Any]) -> None:
    bindings: Bindings = {}
    async with vector_service(case["exchanges"], bindings) as service:
        async with Tools(KEY, base_url=service.url, **options_of(case.get("options", {}))) as tools:
            said = await tools.call_tools(case["toolCalls"], **options_of(case.get("callOptions", {})))
    service.assert_each_came_once("callTools")
    assert len(said) == len(case["messages"])
    for message, wanted in zip(said, case["messages"], strict=True):
        # An expected object is the JSON of the text; an expected text is the text itself.
        is_text = isinstance(wanted["content"], str)
        read = message if is_text else {**message, "content": json.loads(message["content"])}
        assert_match(read, {name: wanted[name] for name in wanted if name != "absent"}, bindings)
        assert_absent(read, wanted.get("absent", ()))


@pytest.mark.parametrize("case", vector("static-tools"), ids=named)
async def test_get_tools_plays(case: dict[str, Any]) -> None:
    async with vector_service(case["exchanges"], {}) as service, Tools(KEY, base_url=service.url) as tools:
        said = await play(tools, {"method": "getTools", "args": [case["options"]]})
    service.assert_each_came_once("getTools")
    if "value" in case:
        assert json.dumps(said) == json.dumps({"value": case["value"]})
    elif "names" in case:
        assert [tool["function"]["name"] for tool in said["value"]] == case["names"]
    else:
        assert_match(said, {"error": case["error"]}, {})


def fake_clock(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Installs a fake clock for the retries. Returns the list of its waits."""
    numbers = list(case.get("random", ()))
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("svc.tools.retry.asyncio", SimpleNamespace(sleep=sleep))
    monkeypatch.setattr("svc.tools.retry.time", SimpleNamespace(monotonic=lambda: sum(waits)))
    monkeypatch.setattr("svc.protocol.backoff.random", SimpleNamespace(random=lambda: numbers.pop(0)))
    return waits


@pytest.mark.parametrize("case", vector("retries"), ids=named)
async def test_tools_retries(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    waits = fake_clock(case, monkeypatch)
    replies = [Reply(cut=True) if each is None else reply_of(each, {}) for each in case["answers"]]
    options = options_of(case["call"].get("options", {}))
    async with wire_server(*replies) as server, Tools(KEY, base_url=server.url, **options) as tools:
        said = await play(tools, case["call"])
    assert_match(said, case["outcome"], {})
    assert [round(wait * 1000) for wait in waits] == case["waitsMs"]
    assert len(server.received) == len(case["answers"])
    if "timeoutsMs" in case:
        assert [int(each.headers["svc-timeout-ms"]) for each in server.received] == case["timeoutsMs"]
    assert len({each.headers.get("idempotency-key") for each in server.received}) == 1


@pytest.mark.parametrize("case", [each for each in vector("retries") if "handler" in each], ids=named)
async def test_tools_retries_at_the_real_service(
    case: dict[str, Any], service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = fake_clock(case, monkeypatch)
    outcomes = list(case["handler"])
    runs: list[tuple[str, str]] = []
    toolkit = Toolkit(service.create_key("toolkit", "retries"), base_url=service.url)
    options = case.get("action", {})
    annotations, payment = options.get("annotations"), options.get("payment")

    @toolkit.action(action_description="Does what a case says", annotations=annotations, payment=payment)
    def echo(ctx: ActionContext, payload: dict[str, Any]) -> Any:
        runs.append((ctx.invocation_id, ctx.idempotency_key))
        outcome = outcomes.pop(0)
        if "result" in outcome:
            return outcome["result"]
        error = outcome["error"]
        after = error["retryAfterMs"] / 1000 if "retryAfterMs" in error else None
        raise ctx.error(error["code"], error["message"], retryable=error["retryable"], retry_after=after)

    agent = service.create_key("agent", "agent", "--budget-per-call", "0.01", "--budget-per-day", "0.01")
    options = options_of(case["call"].get("options", {}))
    async with serving(toolkit), Tools(agent, base_url=service.url, **options) as tools:
        action = (await toolkit.ready()).accepted[0]
        said = await play(tools, {**case["call"], "args": [action, *case["call"]["args"][1:]]})
    assert_match(said, case["outcome"], {})
    assert [round(wait * 1000) for wait in waits] == case["waitsMs"]
    assert len({invocation for invocation, _ in runs}) == len(case["handler"])
    assert len({key for _, key in runs}) == 1


@pytest.mark.parametrize("case", vector("idempotency-keys"), ids=named)
async def test_the_idempotency_key_of_a_tool_call(case: dict[str, Any]) -> None:
    tool_calls = [{"type": "function", **case["toolCall"]}]
    reply = Reply(body={"invocationId": "inv_1", "result": 1})
    async with wire_server(reply) as server:
        for _ in range(2):
            async with Tools(KEY, base_url=server.url) as tools:
                await tools.call_tools(tool_calls)
    first, second = (each.headers["idempotency-key"] for each in server.received)
    if "key" in case:
        assert [first, second] == [case["key"], case["key"]]
    else:
        assert re.fullmatch(r"[\x21-\x7e]{16,255}", first)
        assert first != second
