"""Partial replies, typing, and the functions of the program."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from svc.agent import CallToApprove, ModelRequest
from svc.agent.turns import partial_reply, run_turn
from svc.client.base import Answer, Message, MessageContext, Question, message_text
from tests.agent.agents import TestedAgent, say
from tests.agent.pipe_client import PipeClient
from tests.agent.rows import read_turns
from tests.agent.running import serving
from tests.support.waiting import until
from tests.support.wire_server import Received, Reply, wire_server


class EditingClient(PipeClient):
    """A client with every optional member."""

    def __init__(self) -> None:
        super().__init__()
        self.partial: list[tuple[str, Any]] = []
        self.asked: list[Question] = []
        self.ended: list[tuple[Any, str]] = []
        self.replied: list[Any] = []
        self.typed: list[str] = []
        self.press_at_once: bool = False

    async def show_partial(self, ctx: MessageContext, text: str) -> Any:
        self.partial.append((text, ctx.partial))
        return {"id": "message-1"}

    async def set_typing(self, ctx: MessageContext) -> None:
        self.typed.append(ctx.chat_id)
        raise OSError("a hidden detail")

    async def ask_approval(self, ctx: MessageContext, question: Question) -> Any:
        self.asked.append(question)
        if self.press_at_once:
            self.say("", answer=Answer(question.id, True))
            # A client's messages are stored one after the other.
            self.say("hi", "other")
            await until(lambda: "Hello" in self.texts)
        return {"id": "question-1"}

    async def end_question(self, ctx: MessageContext, shown: Any, text: str) -> None:
        self.ended.append((shown, text))

    async def send_message(self, ctx: MessageContext, reply_messages: Sequence[Message]) -> None:
        self.replied.append(ctx.partial)
        await super().send_message(ctx, reply_messages)


async def test_a_long_answer_is_shown_in_one_message_while_the_model_writes_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(partial_reply, "_EVERY", 0.05)
    store = tmp_path / "agent.db"
    client = EditingClient()

    async def model(request: ModelRequest) -> Message:
        assert request.on_text
        request.on_text("one")
        request.on_text("one two")
        await until(lambda: len(client.partial) == 1)
        request.on_text("one two three")
        await until(lambda: len(client.partial) == 2)
        request.on_text("one two three four")
        return say("one two three four")

    client.say("count")
    async with serving(TestedAgent(client, model=model, edit=True, store=store)):
        await until(lambda: client.texts == ["one two three four"])
        await asyncio.sleep(0.1)
    assert client.partial == [("one two", None), ("one two three", {"id": "message-1"})]
    assert client.replied == [{"id": "message-1"}]
    assert read_turns(store)[0]["ctx"]["partial"] == {"id": "message-1"}


async def test_without_edit_no_partial_text_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_turn, "_TYPING_EVERY", 0.02)
    client = EditingClient()
    asked: list[ModelRequest] = []

    async def model(request: ModelRequest) -> Message:
        asked.append(request)
        await until(lambda: len(client.typed) == 3)
        return say("ok")

    client.say("hi")
    async with serving(TestedAgent(client, model=model)):
        await until(lambda: client.texts == ["ok"])
        typed = len(client.typed)
        await asyncio.sleep(0.06)
        # Typing ends with the turn.
        assert len(client.typed) == typed
    assert asked[0].on_text is None


async def test_a_message_that_accept_refuses_leaves_no_trace_and_an_error_refuses_too(tmp_path: Path) -> None:
    store = tmp_path / "agent.db"

    async def accept(ctx: MessageContext, client_id: str) -> bool:
        if ctx.user_id == "eve":
            raise ValueError("who?")
        return ctx.user_id == "ann" and client_id == "pipe"

    client = PipeClient()
    agent = TestedAgent(client, accept=accept, store=store)
    async with serving(agent):
        client.say("a")
        await until(lambda: client.texts == ["You: a"])
        client.say("b", user_id="eve")
        client.say("c", user_id="bob")
        # The cursor is stored, so the platform need not deliver the messages again.
        await until(lambda: _stored_cursor(store) == "3")
    (failed,) = agent.kinds("handler-error")
    assert str(getattr(failed, "error", "")) == "who?"
    assert [turn["ctx"]["user_id"] for turn in read_turns(store)] == ["ann"]


def _stored_cursor(store: Path) -> object:
    with closing(sqlite3.connect(store, timeout=5)) as database:
        return database.execute("SELECT cursor FROM svc_client").fetchone()[0]


def _shop(received: Received) -> Reply:
    """A service with one destructive action."""
    body = received.body
    if received.path == "/v1/resolve":
        action = {"action": "orders__delete", "description": "", "payloadSchema": {}}
        return Reply(body={"action": {**action, "annotations": {"destructive": True}}, "payload": body["payload"]})
    return Reply(body={"invocationId": "inv-1", "result": f"deleted {body['payload']['id']}"})


async def _delete(request: ModelRequest) -> Message:
    """A model that deletes the order of a message, and repeats the results of the tools."""
    last = request.messages[-1]
    text = message_text(last)
    if last["role"] == "tool":
        return say(text)
    if not text.startswith("delete "):
        return say("Hello")
    return _deletions(int(text.removeprefix("delete ")))


def _deletions(*orders: int) -> Message:
    functions = [
        {"name": "invoke_service", "arguments": json.dumps({"action": "orders__delete", "payload": {"id": order}})}
        for order in orders
    ]
    calls = [
        {"id": f"call_{index}", "type": "function", "function": function} for index, function in enumerate(functions)
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


async def test_a_function_decides_in_place_of_the_person_and_its_error_declines() -> None:
    def approve(ctx: MessageContext, call: CallToApprove) -> bool:
        if call.payload["id"] == 9:
            raise ValueError("no idea")
        return bool(call.payload["id"] == 7)

    client = PipeClient()
    async with wire_server(_shop) as server:
        agent = TestedAgent(client, model=_delete, approve=approve, base_url=server.url)
        async with serving(agent):
            for number in (7, 8, 9):
                client.say(f"delete {number}")
            await until(lambda: len(client.texts) == 3)
        invoked = [each for each in server.received if each.path == "/v1/invoke"]
    assert client.texts[0] == "deleted 7"
    assert ["NOT_APPROVED" in text for text in client.texts] == [False, True, True]
    assert [each.headers["svc-max-payment"] for each in invoked] == ["0"]
    (failed,) = agent.kinds("handler-error")
    assert str(getattr(failed, "error", "")) == "no idea"


async def test_an_approval_does_not_cover_a_call_that_the_service_could_not_resolve() -> None:
    def shop(received: Received) -> Reply:
        is_lost = received.path == "/v1/resolve" and received.body["payload"]["id"] == 8
        return Reply(404, raw=b"<p>Not here</p>", headers={"content-type": "text/html"}) if is_lost else _shop(received)

    async def model(request: ModelRequest) -> Message:
        results = [message_text(each) for each in request.messages if each["role"] == "tool"]
        return say("\n".join(results)) if results else _deletions(7, 8)

    client = PipeClient()
    async with wire_server(shop) as server, serving(TestedAgent(client, model=model, base_url=server.url)):
        client.say("delete both")
        await until(lambda: client.texts == ['May I do this?\norders__delete {"id":7}\nAnswer yes or no.'])
        client.say("yes")
        await until(lambda: len(client.texts) == 2)
        invoked = [each.body["payload"] for each in server.received if each.path == "/v1/invoke"]
    assert invoked == [{"id": 7}]
    assert client.texts[1].startswith('deleted 7\n{"error":{"code":"SERVICE_UNREACHABLE"')


async def test_the_question_shows_each_member_of_a_long_payload_and_no_invisible_character() -> None:
    async def model(request: ModelRequest) -> Message:
        payload = {"text": "x" * 5_000, "to": "ann\u202e@example.com\u200b"}
        function = {"name": "invoke_service", "arguments": json.dumps({"action": "orders__delete", "payload": payload})}
        calls = [{"id": "call_0", "type": "function", "function": function}]
        return {"role": "assistant", "content": None, "tool_calls": calls}

    client = PipeClient()
    async with wire_server(_shop) as server, serving(TestedAgent(client, model=model, base_url=server.url)):
        client.say("send it")
        await until(lambda: client.texts)
    shown = r'orders__delete \{"text":"x{2900,3000}"… 2\d\d\d more,"to":"ann\\u202e@example\.com\\u200b"\}'
    assert re.fullmatch(shown, client.texts[0].splitlines()[1])


@pytest.mark.parametrize("command", ["/stop", "/new"])
async def test_a_command_removes_the_buttons_of_the_question(command: str) -> None:
    client = EditingClient()
    async with wire_server(_shop) as server, serving(TestedAgent(client, model=_delete, base_url=server.url)):
        client.say("delete 7")
        await until(lambda: client.asked)
        client.say(command)
        await until(lambda: client.ended)
    assert client.ended == [({"id": "question-1"}, 'May I do this?\norders__delete {"id":7}\nNot approved.')]


async def test_a_press_before_the_answer_of_the_platform_counts_and_the_buttons_are_removed() -> None:
    client = EditingClient()
    client.press_at_once = True
    async with wire_server(_shop) as server, serving(TestedAgent(client, model=_delete, base_url=server.url)):
        client.say("delete 7")
        await until(lambda: "deleted 7" in client.texts)
    assert client.ended == [({"id": "question-1"}, 'May I do this?\norders__delete {"id":7}\nApproved.')]


async def test_a_question_without_an_answer_is_declined_when_it_expires(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svc.agent.turns.approvals._ANSWER_WITHIN_MS", 100)
    client = PipeClient()
    async with wire_server(_shop) as server, serving(TestedAgent(client, model=_delete, base_url=server.url)):
        client.say("delete 7")
        await until(lambda: len(client.texts) == 2)
    assert client.texts[0] == 'May I do this?\norders__delete {"id":7}\nAnswer yes or no.'
    assert "NOT_APPROVED" in client.texts[1]


async def test_max_concurrent_turns_limits_the_turns_and_every_chat_is_served() -> None:
    opened = asyncio.Event()
    at_once = most = 0

    async def model(request: ModelRequest) -> Message:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await opened.wait()
        at_once -= 1
        return say("ok")

    client = PipeClient()
    async with serving(TestedAgent(client, model=model, max_concurrent_turns=4)):
        for number in range(50):
            client.say("hello", f"chat-{number}")
        await until(lambda: at_once == 4)
        opened.set()
        await until(lambda: len(client.texts) == 50)
    assert most == 4
