"""Numbers beyond ±(2^53 - 1): Python refuses the same numbers as TypeScript, and a model reads all digits of a
result."""

import json
from typing import Any

import pytest

from svc import SvcError, Tools
from svc.protocol.json_text import from_exact_json
from tests.support.repository import vector
from tests.support.wire_server import Reply, wire_server

KEY = "svc_agent_vectors"
NUMBERS = vector("numbers")
ID = 2512292042121000001


def answering(result: str) -> Reply:
    return Reply(raw=f'{{"invocationId":"inv_1","result":{result}}}'.encode())


@pytest.mark.parametrize("case", NUMBERS["payloads"], ids=lambda case: str(case["name"]))
async def test_tools_refuses_or_sends_the_payload(case: dict[str, Any]) -> None:
    call = f'{{"action":"vector__echo","payload":{case["json"]}}}'
    async with wire_server(answering("1")) as server, Tools(KEY, base_url=server.url) as tools:
        for name, arguments in (("vector__echo", case["json"]), ("invoke_service", call)):
            answer = await tools.answer_tool(name, arguments)
            assert (answer.error.details["issues"] if answer.error else None) == case.get("issues")
        assert len(server.received) == (0 if "issues" in case else 2)


@pytest.mark.parametrize("case", NUMBERS["results"], ids=lambda case: str(case["text"]))
async def test_a_model_reads_all_digits(case: dict[str, Any]) -> None:
    async with wire_server(answering(case["json"])) as server, Tools(KEY, base_url=server.url) as tools:
        assert (await tools.answer_tool("vector__echo", {})).content == case["text"]


async def test_a_program_gets_an_int_and_may_not_send_one() -> None:
    async with wire_server(answering(f'{{"id":{ID}}}')) as server, Tools(KEY, base_url=server.url) as tools:
        assert (await tools.invoke("vector__echo", {"id": str(ID)}))["result"] == {"id": ID}
        for arguments in ({"id": ID}, {"id": [2**53]}):
            with pytest.raises(SvcError, match="send its exact digits as a text, in quotes") as refused:
                await tools.invoke("vector__echo", arguments)
            assert refused.value.code == "INVALID_PAYLOAD"
        assert len(server.received) == 1


def test_numbers_that_python_cannot_hold_are_texts() -> None:
    long = "9" * 5_000
    text = f'[{ID}, {long}, 2512292042121000001.0, 1e999, 1.5e300, "{ID}"]'
    assert from_exact_json(text) == [ID, long, "2512292042121000001.0", "1e999", 1.5e300, str(ID)]
    with pytest.raises(ValueError, match="Expecting"):
        from_exact_json(f"[{ID},]")
    assert json.loads(json.dumps(from_exact_json(f"[{ID}]"))) == [ID]
