"""prompts.json, providers.json and store.sql."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import svc.agent
from svc.agent.model.model_request_error import ModelRequestError
from svc.agent.model.providers import PROVIDERS, find_model_server
from svc.agent.turns.built_in_prompts import BUILT_IN_PROMPTS
from svc.agent.turns.prompt_texts import fill_prompt
from tests.support.repository import REPOSITORY, vector

PROMPTS = vector("prompts")
PROVIDER_TABLE = vector("providers")
FOUND = [case for case in PROVIDER_TABLE["cases"] if "error" not in case]
REFUSED = [case for case in PROVIDER_TABLE["cases"] if "error" in case]


def test_the_built_in_prompts() -> None:
    assert PROMPTS["prompts"] == BUILT_IN_PROMPTS


@pytest.mark.parametrize("case", PROMPTS["cases"], ids=lambda case: case["text"])
def test_placeholders_are_filled(case: dict[str, Any]) -> None:
    place = {name: case.get(name, "") for name in ("agent_id", "client_id", "chat_id")}
    now = datetime.fromisoformat(case["now"]) if "now" in case else None
    assert fill_prompt(case["text"], **place, now=now) == case["filled"]


def test_the_table_of_providers() -> None:
    table = {}
    for name, provider in PROVIDERS.items():
        row: dict[str, Any] = {"baseUrl": provider.base_url}
        if provider.key_variable:
            row["keyVariable"] = provider.key_variable
        if provider.refuses_stream_options:
            row["refusesStreamOptions"] = True
        table[name] = row
    assert table == PROVIDER_TABLE["providers"]


@pytest.mark.parametrize("case", FOUND, ids=lambda case: f"{case['id']} {case['env']}")
def test_a_model_id_resolves_to_a_server(case: dict[str, Any]) -> None:
    server = find_model_server(case["id"], case["env"])
    assert {
        "url": server.url,
        "keyVariable": server.key_variable,
        "key": server.key,
        "model": server.model,
    } == {name: case[name] for name in ("url", "keyVariable", "key", "model")}


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case['id']} {case['env']}")
def test_a_model_id_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(ModelRequestError) as refused:
        find_model_server(case["id"], case["env"])
    message = str(refused.value)
    for words in case["error"]:
        assert words.replace("setModel", "set_model") in message
    assert "two" not in message
    assert "secret" not in message


def test_store_sql_has_the_same_bytes() -> None:
    schema = Path(svc.agent.__file__).with_name("store") / "store.sql"
    assert schema.read_bytes() == (REPOSITORY / "test" / "vectors" / "store.sql").read_bytes()
