"""The tables of the vectors."""

from typing import Any

import pytest

from svc import SvcError, Toolkit, Tools, describe_call
from svc.protocol.ids import is_action_id
from svc.protocol.to_type import short_type, to_type
from svc.toolkit.result_shape import result_shape
from svc.tools.globally_unique import is_globally_unique
from tests.support.repository import vector
from tests.support.wire_server import Reply, wire_server

KEYS = [each["key"] for each in vector("keys")["good"]]
ACTION_IDS = vector("action-ids")
TOOL_CALL_IDS = vector("tool-call-ids")


@pytest.mark.parametrize("each", ACTION_IDS["actionIds"], ids=lambda each: each["id"])
def test_an_action_id(each: dict[str, Any]) -> None:
    assert is_action_id(each["id"])
    assert each["id"] == f"{each['toolkit']}__{each['action']}"


@pytest.mark.parametrize("text", ACTION_IDS["notActionIds"])
def test_a_text_that_is_not_an_action_id(text: str) -> None:
    assert not is_action_id(text)


@pytest.mark.parametrize("tool_call_id", TOOL_CALL_IDS["unique"])
def test_a_unique_id(tool_call_id: str) -> None:
    assert is_globally_unique(tool_call_id)


@pytest.mark.parametrize("tool_call_id", TOOL_CALL_IDS["notUnique"])
def test_an_id_that_may_be_repeated(tool_call_id: str) -> None:
    assert not is_globally_unique(tool_call_id)


@pytest.mark.parametrize("case", vector("describe-call"), ids=lambda case: case["name"])
def test_the_description_of_a_call_for_a_person(case: dict[str, Any]) -> None:
    options = {"max_chars": case["maxChars"]} if "maxChars" in case else {}
    assert describe_call(case["call"], **options) == case["text"]


@pytest.mark.parametrize("case", vector("result-types"), ids=lambda case: case["type"][:40])
def test_the_type_of_a_result(case: dict[str, Any]) -> None:
    assert to_type(case["schema"]) == case["type"]
    assert short_type(case["schema"]) == case["short"]


@pytest.mark.parametrize("case", vector("result-descriptions"), ids=str)
def test_the_service_reads_the_description_of_a_result(case: dict[str, Any]) -> None:
    assert result_shape(case["written"], print, "do") == case["written"]


@pytest.mark.parametrize("key", KEYS)
async def test_each_half_requires_its_own_kind_of_key(key: str) -> None:
    async with wire_server(Reply(body={"actions": []})) as server, Tools(key, base_url=server.url) as tools:
        if key.startswith("svc_agent_"):
            await tools.search("anything")
        else:
            with pytest.raises(SvcError, match="needs an agent key") as refused:
                await tools.search("anything")
            assert refused.value.code == "WRONG_KEY_KIND"
            assert server.received == []
    if key.startswith("svc_toolkit_"):
        Toolkit(key)
    else:
        with pytest.raises(SvcError, match="needs a toolkit key"):
            Toolkit(key)
