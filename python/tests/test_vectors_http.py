"""The transcripts of agents, played by ``Tools`` against a server that answers as they say."""

import re
from typing import Any

import pytest

from svc import SvcError, Tools
from tests.support.match import Bindings, assert_match, fill_in
from tests.support.repository import vector
from tests.support.wire_server import Received, Reply, wire_server

EXCHANGES = [each for each in vector("agent-http") if "call" in each]
SEARCH_IDS = [each for each in vector("search-ids") if "call" in each]
KEY = "svc_agent_vectors"


def snake_case(options: dict[str, Any]) -> dict[str, Any]:
    return {re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", name): value for name, value in options.items()}


async def play(tools: Tools, call: dict[str, Any]) -> dict[str, Any]:
    """The outcome of a call: a value or an error."""
    arguments = list(call["args"])
    method = call["method"]
    takes_options = {"search": 1, "invoke": 2, "resolve": 2}[method]
    options = snake_case(arguments[takes_options]) if len(arguments) > takes_options else {}
    try:
        return {"value": await getattr(tools, method)(*arguments[:takes_options], **options)}
    except SvcError as error:
        return {"error": error.to_json()}


def reply_of(response: dict[str, Any]) -> Reply:
    headers = {name: value for name, value in response.get("headers", {}).items() if value is not None}
    return Reply(response["status"], response.get("body"), headers)


def received_of(received: Received) -> dict[str, Any]:
    return {"method": received.method, "path": received.path, "headers": received.headers, "body": received.body}


@pytest.mark.parametrize("exchange", EXCHANGES, ids=lambda exchange: exchange["name"])
async def test_tools_plays(exchange: dict[str, Any]) -> None:
    call, request = exchange["call"], exchange["request"]
    async with wire_server(reply_of(exchange["response"])) as server:
        async with Tools(KEY, base_url=server.url, **snake_case(call.get("options", {}))) as tools:
            outcome = await play(tools, call)
    bindings: Bindings = {}
    wanted = {"authorization": f"Bearer {KEY}", "svc-timeout-ms": "60000"}
    if request["path"] == "/v1/invoke":
        wanted["idempotency-key"] = "$string"
    headers = {**wanted, **request.get("headers", {}), "authorization": f"Bearer {KEY}"}
    assert_match(received_of(server.received[0]), {**request, "headers": headers}, bindings)
    assert_match(outcome, exchange["outcome"], bindings)


@pytest.mark.parametrize(
    "exchange",
    [each for each in EXCHANGES if each["response"]["status"] >= 400],
    ids=lambda exchange: exchange["name"],
)
async def test_an_error_keeps_every_detail_of_the_problem(exchange: dict[str, Any]) -> None:
    body = exchange["response"]["body"]
    async with (
        wire_server(reply_of(exchange["response"])) as server,
        Tools(KEY, base_url=server.url) as tools,
    ):
        outcome = await play(tools, {**exchange["call"], "options": {}})
    members = {name: body[name] for name in body if name not in ("type", "title", "status", "detail")}
    error = outcome["error"]
    assert {name: error[name] for name in members} == members
    assert error["message"] == body.get("detail", "")


async def test_one_client_names_its_searches_as_the_transcript_does() -> None:
    ids = {"first": "node.1", "second": "node.2"}
    replies = [reply_of(fill_in(each["response"], ids)) for each in SEARCH_IDS]
    async with wire_server(*replies) as server, Tools(KEY, base_url=server.url) as tools:
        for each in SEARCH_IDS:
            await play(tools, each["call"])
            received = server.received[-1]
            assert_match(received_of(received), {**each["request"], "headers": {}}, {}, each["name"])
            wanted = fill_in(each["request"]["headers"]["svc-search-id"], ids)
            assert received.headers.get("svc-search-id") == wanted, each["name"]
