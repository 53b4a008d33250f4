"""Answers that would fill the memory, and error texts with terminal sequences or keys."""

import gzip
from typing import Any

import pytest

from svc import SvcError, Tools
from svc.protocol.answer_body import MAX_ANSWER_BYTES
from tests.support.match import Bindings, assert_match, fill_in_all
from tests.support.repository import vector
from tests.support.wire_server import Reply, wire_server

KEY = "svc_agent_vectors"
MIB = 1024 * 1024
JSON_TYPE = {"content-type": "application/json"}
EVENTS = {"content-type": "text/event-stream"}


async def refusal(url: str) -> SvcError:
    async with Tools(KEY, base_url=url) as tools:
        with pytest.raises(SvcError) as refused:
            await tools.invoke("a__b", on_progress=lambda _: None)
    return refused.value


def assert_too_large(error: SvcError) -> None:
    assert (error.code, error.retryable) == ("SERVICE_UNREACHABLE", False)
    assert "more than 32 MiB" in error.message


@pytest.mark.parametrize(
    ("headers", "begin", "unit"),
    [
        (JSON_TYPE, b'{"result":"', b"x"),
        (EVENTS, b'event: result\ndata: "', b"x"),
        (EVENTS, b"event: result\n", b"data\n"),
    ],
    ids=["JSON", "an event", "empty lines of one event"],
)
async def test_an_endless_answer_ends_at_the_limit(headers: dict[str, str], begin: bytes, unit: bytes) -> None:
    endless = unit * (MIB // len(unit))
    async with wire_server(Reply(raw=begin, headers=headers, endless=endless)) as server:
        assert_too_large(await refusal(server.url))
        assert len(server.received) == 1
    assert server.endless_bytes < 2 * MAX_ANSWER_BYTES


async def test_a_small_compressed_answer_is_counted_by_its_decompressed_bytes() -> None:
    body = b'{"invocationId":"inv_1","result":"' + b"x" * 33 * MIB + b'"}'
    packed = gzip.compress(body, compresslevel=1)
    async with wire_server(Reply(raw=packed, headers={"content-encoding": "gzip"})) as server:
        assert_too_large(await refusal(server.url))


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br", "zstd"])
async def test_an_unrequested_encoding_is_not_read(encoding: str) -> None:
    async with wire_server(Reply(raw=b"{}", headers={"content-encoding": encoding})) as server:
        error = await refusal(server.url)
        assert server.received[0].headers["accept-encoding"] == "gzip, deflate"
    assert (error.code, error.retryable) == ("SERVICE_UNREACHABLE", False)
    assert f"encoded as '{encoding}'" in error.message


async def test_a_result_of_31_mib_arrives_and_a_stream_of_smaller_events_may_be_longer() -> None:
    large = "ö" * (31 * MIB // 2)
    progress = f'event: progress\ndata: {{"progress":1,"message":"{"x" * MIB}"}}\n\n' * 33
    result = 'event: result\ndata: {"invocationId":"inv_1","result":"done"}\n\n'
    async with wire_server(
        Reply(body={"invocationId": "inv_1", "result": large}),
        Reply(raw=(progress + result).encode(), headers=EVENTS),
    ) as server:
        async with Tools(KEY, base_url=server.url) as tools:
            # The comparison is outside of pytest's assert, which would print megabytes.
            is_whole = (await tools.invoke("a__b"))["result"] == large
            assert is_whole
            assert (await tools.invoke("a__b", on_progress=lambda _: None))["result"] == "done"


async def test_a_content_type_with_the_key_and_terminal_codes_is_shown_without_either() -> None:
    content_type = f'text/html; a="Bearer {KEY} \x9b31m{"x" * 8_000}"'.encode("latin-1").decode("latin-1")
    async with wire_server(Reply(raw=b"<html>", headers={"content-type": content_type})) as server:
        error = await refusal(server.url)
    assert '(text/html; a="Bearer svc_agent_…' in error.message
    assert "\x9b" not in error.message
    assert len(error.message) < 4_400


@pytest.mark.parametrize("case", vector("error-texts"), ids=lambda case: str(case["name"]))
async def test_error_texts(case: dict[str, Any]) -> None:
    bindings: Bindings = {"agentKey": KEY}
    async with wire_server(Reply(400, fill_in_all(case["body"], bindings))) as server:
        said: Any = (await refusal(server.url)).to_json()
    assert_match(said, case["error"], bindings)
    for pointer in case.get("cut", ()):
        text = said
        for name in pointer.split("/")[1:]:
            text = text[name]
        is_cut = text == "x" * 4_095 + "…"
        assert is_cut, pointer
