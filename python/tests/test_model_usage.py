"""``report_usage``: the tokens of models, on the next request of their session, as in test/vectors/usage.json."""

import asyncio
import re
from typing import Any

import pytest

from svc import SvcError, Tools
from svc.protocol.usage import write_report
from tests.support.repository import vector
from tests.support.wire_server import Received, Reply, WireServer, wire_server

KEY = "svc_agent_secret"
FOUND = Reply(body={"actions": [], "message": "Nothing"})


def answer(request: Received) -> Reply:
    return Reply(204) if request.path == "/v1/usage" else FOUND


def sent(server: WireServer) -> list[tuple[str, str | None]]:
    return [
        (each.path, usage and re.sub(r'id="\w+"', "id", usage))
        for each in server.received
        for usage in [each.headers.get("svc-usage")]
    ]


@pytest.mark.parametrize("written", vector("usage")["written"], ids=lambda written: written["header"])
def test_headers_are_written_as_in_the_vectors(written: dict[str, Any]) -> None:
    reports = [
        write_report(use["model"], use["id"], use["inputTokens"], use["outputTokens"], use.get("cachedTokens"))
        for use in written["usage"]
    ]
    assert ", ".join(reports) == written["header"]


async def test_tokens_go_along_with_the_next_request_of_their_session_and_with_aclose() -> None:
    async with wire_server(answer) as server:
        async with Tools(KEY, base_url=server.url, session_id="chat") as tools:
            await tools.report_usage("gpt-6", input_tokens=1200, cached_tokens=1024, output_tokens=86)
            await tools.for_user("ada", session_id="other").search("weather")
            await tools.search("weather")
            await tools.search("weather")
            await tools.report_usage("größer", input_tokens=1, output_tokens=2)
        assert sent(server) == [
            ("/v1/search", None),
            ("/v1/search", '"gpt-6";id;input=1200;cached=1024;output=86'),
            ("/v1/search", None),
            ("/v1/usage", '"gr??er";id;input=1;output=2'),
        ]
        assert server.received[3].headers["svc-session-id"] == "chat"


async def test_tokens_are_sent_alone_after_a_while_at_most_eight_at_a_time() -> None:
    async with wire_server(answer) as server, Tools(KEY, base_url=server.url, session_id="chat") as tools:
        for _ in range(10):
            await tools.report_usage("m", input_tokens=1, output_tokens=2)
        async with asyncio.timeout(30):
            while len(server.received) < 2:
                await asyncio.sleep(0.05)
        assert [(path, len((usage or "").split(", "))) for path, usage in sent(server)] == [
            ("/v1/usage", 8),
            ("/v1/usage", 2),
        ]


async def test_the_report_of_a_request_that_failed_is_sent_again_with_its_id() -> None:
    refused = Reply(400, {"code": "INVALID_REQUEST", "detail": "No"})
    async with wire_server(refused, refused, FOUND) as server, Tools(KEY, base_url=server.url, session_id="s") as tools:
        await tools.report_usage("m", input_tokens=1, output_tokens=2)
        for send in (tools.search, lambda _: tools.flush_usage()):
            with pytest.raises(SvcError):
                await send("weather")
        await tools.search("weather")
        await tools.search("weather")
        usage = [each.headers.get("svc-usage") for each in server.received]
        assert usage[0] is not None
        assert usage == [usage[0], usage[0], usage[0], None]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"input_tokens": -1}, "input_tokens is a whole number from 0 to 1000000000, not -1"),
        ({"output_tokens": 0.5}, "output_tokens is a whole number"),
        ({"input_tokens": True}, "input_tokens is a whole number"),
        ({"cached_tokens": 2}, "cached_tokens is a part of input_tokens"),
        ({"cached_tokens": False}, "cached_tokens is a whole number"),
        ({"cached_tokens": 0.0}, "cached_tokens is a whole number"),
        ({"model": ""}, "model is the name of the model"),
    ],
)
async def test_a_wrong_report_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SvcError, match=message):
        await Tools(KEY, session_id="s").report_usage(
            **{"model": "m", "input_tokens": 1, "output_tokens": 1, **options}
        )


async def test_a_report_needs_a_session() -> None:
    with pytest.raises(SvcError, match=r"Tokens are reported for a session: Tools\(session_id=…\)"):
        await Tools(KEY).report_usage("m", input_tokens=1, output_tokens=1)
