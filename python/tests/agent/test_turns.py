"""The transcripts of agent-turns.json."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from svc.agent import Agent
from svc.agent.store.context_row import read_context
from svc.agent.turns.conversation_id import conversation_id
from svc.client.base import Answer, reply_images
from tests.agent.pipe_client import PipeClient, Sent
from tests.agent.rows import read_settings, read_turns, write_rows
from tests.agent.running import serving
from tests.agent.world import World
from tests.support.match import Bindings, assert_match, fill_in
from tests.support.repository import vector
from tests.support.waiting import until

TABLE = vector("agent-turns")
#: A link of the connect page.
LINK = re.compile(r"http\S+/connections/connect/\S+")


@pytest.mark.parametrize("case", TABLE["conversationIds"], ids=lambda case: case["id"][:40])
def test_the_id_of_a_conversation(case: dict[str, str]) -> None:
    assert conversation_id(case["client_id"], case["id"]) == case["header"]


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: case["name"])
async def test_the_agent_plays_the_case(
    case: dict[str, Any], world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", world.model_url)
    monkeypatch.setenv("SVC_MODEL", "openai/one")
    store = tmp_path / "agent.db"
    if "given" in case:
        write_rows(store, case["given"])
    client = PipeClient()
    agent = Agent(clients=[client], base_url=world.service_url, store=store, **_options(case.get("options", {}), world))
    calls_before = len(world.calls())
    requests_before = len(world.model_requests())
    world.script([exchange["answer"] for exchange in case["model"]])

    def counts() -> dict[str, int]:
        return {
            "model": len(world.model_requests()) - requests_before,
            "calls": len(world.calls()) - calls_before,
            "sent": len(client.sent),
        }

    codes: Bindings = {}
    async with serving(agent):
        for step in case["steps"]:
            when = step.get("when", {})
            await until(lambda: counts().items() >= when.items())  # noqa: B023 (waited for in this round)
            if "setPrompt" in step:
                agent.set_prompt(*step["setPrompt"])
            if "setModel" in step:
                agent.set_model(*step["setModel"])
            if "connect" in step:
                link = LINK.search(client.texts[step["connect"] - 1])
                assert link
                codes[f"code{len(codes) + 1}"] = await asyncio.to_thread(world.connect, link[0])
            if "say" in step:
                _say(client, fill_in(step["say"], {**_turn_ids(store), **codes}))
        states = [turn["state"] for turn in case["turns"]]
        await until(
            lambda: len(client.sent) == len(case["sent"]) and [turn["state"] for turn in read_turns(store)] == states
        )

    bindings = _turn_ids(store)
    expected = fill_in({name: case.get(name) for name in ("model", "turns", "calls", "sent", "settings")}, bindings)
    _assert_turns(read_turns(store), expected["turns"], bindings)
    _assert_requests(world.model_requests()[requests_before:], expected["model"], bindings)
    calls = sorted(map(_to_call, world.calls()[calls_before:]), key=lambda call: str(call["key"]))
    assert_match(calls, expected["calls"], bindings, "calls")
    assert [_to_sent(sent) for sent in client.sent] == expected["sent"]
    if expected["settings"] is not None:
        assert read_settings(store) == expected["settings"]


def _options(options: dict[str, Any], world: World) -> dict[str, Any]:
    given = {re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name): value for name, value in options.items()}
    given["api_key"] = world.line["keys"]["buyer"] if given.get("api_key") == "$buyerKey" else world.agent_key
    if "accept" in given:
        accepted = given["accept"]
        given["accept"] = lambda ctx, _client_id: ctx.user_id in accepted
    return given


def _say(client: PipeClient, say: dict[str, Any]) -> None:
    ctx = read_context(json.dumps({"chat_id": "chat", "user_id": "ann", **say}))
    members = {name: value for name, value in vars(ctx).items() if value is not None}
    if answer := say.get("answer"):
        members["answer"] = Answer(answer["question_id"], answer["approved"])
    client.say(**members)


def _turn_ids(store: Path) -> Bindings:
    """``$turn1`` is the id of the first turn."""
    return {f"turn{number}": turn["id"] for number, turn in enumerate(read_turns(store), 1)} if store.exists() else {}


def _to_call(call: dict[str, Any]) -> dict[str, Any]:
    headers = call["headers"]
    return {
        "key": headers.get("idempotency-key"),
        "session": headers.get("svc-session-id"),
        "user": headers.get("svc-user-id"),
        "maxPayment": headers.get("svc-max-payment"),
        "version": headers.get("svc-action-version"),
        "body": call["body"],
    }


def _to_sent(sent: Sent) -> dict[str, Any]:
    shown: dict[str, Any] = {} if sent.chat_id == "chat" else {"chat_id": sent.chat_id}
    images = reply_images(sent.reply_messages)
    return {**shown, "text": LINK.sub("$link", sent.text), **({"images": images} if images else {})}


def _assert_turns(actual: list[Any], expected: list[Any], bindings: Bindings) -> None:
    assert len(actual) == len(expected)
    for index, turn in enumerate(expected):
        columns = {name: turn[name] for name in turn if name not in ("messages", "error", "ctx")}
        assert_match(actual[index], {"attempts": 0, **columns}, bindings, f"turns/{index}")
        assert actual[index]["ctx"] == turn["ctx"]
        error = actual[index]["error"]
        assert (error and error.partition(":")[0]) == turn.get("error")
        _assert_messages(actual[index]["messages"], turn["messages"], bindings, f"turns/{index}/messages")


def _assert_requests(actual: list[Any], expected: list[Any], bindings: Bindings) -> None:
    assert len(actual) == len(expected)
    for index, exchange in enumerate(expected):
        request = exchange["request"]
        system, *rest = actual[index]["messages"]
        assert {"model": actual[index]["model"], "tools": "tools" in actual[index]} == {
            name: request[name] for name in ("model", "tools")
        }
        assert system["role"] == "system"
        assert system["content"] == request.get("system", system["content"])
        _assert_messages(rest, request["messages"], bindings, f"model/{index}/messages")


def _assert_messages(actual: list[Any], expected: list[Any], bindings: Bindings, path: str) -> None:
    """No message may have members that are not expected. The content of a tool is JSON, and may have more of them."""

    def without_results(messages: list[Any]) -> list[Any]:
        return [{**each, "content": None} if each["role"] == "tool" else each for each in messages]

    assert without_results(actual) == without_results(expected), path
    for index, message in enumerate(expected):
        if message["role"] == "tool":
            assert_match(_parsed(actual[index]["content"]), message["content"], bindings, f"{path}/{index}")


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
