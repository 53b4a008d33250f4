"""The options of every adapter, and the error without its framework."""

import importlib
import json
from typing import Any

import pytest

from svc import SvcError, SyncTools, Tools
from svc.ai.agent_tool import agent_tools, load_agent_tools, read_options, run_blocking
from svc.ai.openai import svc_tools
from tests.support.wire_server import Received, Reply, wire_server

KEY = "svc_agent_key"


def test_the_error_for_a_missing_framework_says_what_to_install() -> None:
    with pytest.raises(ImportError) as raised:
        importlib.import_module("svc.ai.langchain")
    assert "pip install 'svc-sdk[langchain]'" in str(raised.value)
    assert raised.value.name == "langchain_core"
    assert raised.value.__cause__ is None


def test_the_tools_of_openai_need_no_package() -> None:
    assert [tool["function"]["name"] for tool in svc_tools(api_key=KEY)] == ["search_services", "invoke_service"]


def test_the_options_are_those_of_tools_or_an_existing_one() -> None:
    tools = Tools(KEY)
    assert read_options(tools, {}).client is tools
    assert read_options(None, {"api_key": KEY, "user_id": "u", "timeout": 5}).client is not tools


async def test_the_options_for_connections_reach_the_calls() -> None:
    def answer(request: Received) -> Reply:
        if "svc-connections" in request.headers:
            return Reply(body={"invocationId": "inv_1", "result": dict(request.headers)})
        return Reply(403, {"code": "CONNECTION_REQUIRED", "detail": "Connect", "connect": {"toolkit": "github"}})

    def token_of(toolkit: str, user_id: str | None) -> Any:
        return {"bearer": f"{toolkit}-{user_id}"}

    async with wire_server(answer) as server:
        options = {"api_key": KEY, "base_url": server.url, "user_id": "ann", "connections": token_of}
        async with read_options(None, {**options, "connection_names": {"github": "work"}}).client as tools:
            call = {"id": "call_1", "type": "function", "function": {"name": "github__list", "arguments": "{}"}}
            (message,) = await svc_tools(tools).call_tools([call])
    headers = json.loads(message["content"])
    assert headers["svc-connections"] == "github Bearer github-ann"
    assert headers["svc-connection-names"] == "github work"


@pytest.mark.parametrize(
    ("tools", "options", "words"),
    [
        (Tools(KEY), {"user_id": "u"}, "Give tools or user_id, not both"),
        (KEY, {}, "tools must be a Tools, not str; keys go into api_key"),
        (None, {"ask_above": 0.5}, "ask_above must be a decimal text"),
        (None, {"timeout": 0}, "timeout must be a number of seconds"),
    ],
)
def test_the_error_for_conflicting_options_says_what_to_write(tools: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(SvcError, match=words) as raised:
        read_options(tools, options)
    assert raised.value.code == "INVALID_REQUEST"


def test_an_unknown_option_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="user_name"):
        read_options(None, {"user_name": "u"})


@pytest.mark.parametrize("options", [{"needs_approval": True}, {"needs_approval": bool}, {"ask_above": "0.50"}])
def test_a_framework_without_approval_refuses_approval_options(options: dict[str, Any]) -> None:
    (name,) = options
    with pytest.raises(SvcError, match=f"OpenAI has no approval before a call, so {name} has no effect"):
        svc_tools(api_key=KEY, **options)
    assert svc_tools(api_key=KEY, needs_approval=False)  # type: ignore[call-arg]


def test_static_actions_without_a_network_call_name_the_function_that_loads_them() -> None:
    with pytest.raises(SvcError, match=r"await load_svc_tools\(static_actions=…\)"):
        agent_tools(read_options(None, {"api_key": KEY, "static_actions": ["weather__today"]}))


async def test_no_tools_at_all_is_an_error() -> None:
    with pytest.raises(SvcError, match="leaves no tools"):
        await load_agent_tools(read_options(None, {"api_key": KEY, "dynamic_tools": False}))


async def test_an_adapter_shares_a_sync_tools() -> None:
    async with wire_server(Reply(body={"invocationId": "inv_1", "result": 7})) as server:
        tools = SyncTools(KEY, base_url=server.url)
        _, invoke = agent_tools(tools)
        assert (await invoke.answer({"action": "a__b", "payload": {}})).content == "7"
        await tools.async_tools.aclose()


def test_a_blocking_caller_gets_the_value_or_the_exception() -> None:
    async def double(number: int) -> int:
        if number < 0:
            raise ValueError(number)
        return number * 2

    assert run_blocking(double(2)) == 4
    with pytest.raises(ValueError, match="-1"):
        run_blocking(double(-1))
