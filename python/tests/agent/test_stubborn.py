"""Foreign code that ignores its cancellation, hangs, or fails."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from svc.agent import ModelRequest, agent_run
from svc.agent.turns import client_loop, partial_reply
from svc.client.base import Message, MessageContext, RefusedReply, message_text
from tests.agent.agents import TestedAgent, say
from tests.agent.pipe_client import PipeClient
from tests.agent.running import serving
from tests.support.waiting import until
from tests.support.wire_server import Reply, wire_server

FAILED = "Something went wrong, and I could not finish that. Please try again."


class Stubborn:
    """Ignores every cancellation until the test releases it."""

    def __init__(self) -> None:
        self.released = asyncio.Event()
        self.ignored = 0

    async def wait(self) -> None:
        while not self.released.is_set():
            try:
                await self.released.wait()
            except asyncio.CancelledError:
                self.ignored += 1

    async def release(self) -> None:
        self.released.set()
        await asyncio.sleep(0.01)


async def test_stop_ends_the_call_of_a_stubborn_model_and_the_queued_turns() -> None:
    stubborn = Stubborn()

    async def model(request: ModelRequest) -> Message:
        if message_text(request.messages[-1]) == "wait":
            await stubborn.wait()
        return say("ok")

    client = PipeClient()
    agent = TestedAgent(client, model=model)
    async with serving(agent):
        client.say("wait")
        client.say("behind")
        await until(lambda: agent.kinds("turn-start"))
        client.say("/stop")
        client.say("after")
        await until(lambda: client.texts == ["Stopped.", "ok"])
        await until(lambda: len(agent.codes()) == 4)
    assert stubborn.ignored == 1
    await stubborn.release()
    assert client.texts == ["Stopped.", "ok"]


async def test_stop_closes_the_request_of_a_call() -> None:
    call = {"name": "invoke_service", "arguments": '{"action":"slow__wait","payload":{}}'}
    calls = [{"id": "call_0", "type": "function", "function": call}]
    seen: list[Sequence[Message]] = []

    async def model(request: ModelRequest) -> Message:
        seen.append(request.messages)
        if message_text(request.messages[-1]) == "go":
            return {"role": "assistant", "content": None, "tool_calls": calls}
        return say("ok")

    async with wire_server(Reply(silent=True)) as server:
        client = PipeClient()
        async with serving(TestedAgent(client, model=model, base_url=server.url, approve="never")):
            client.say("go")
            await until(lambda: server.received)
            client.say("/stop")
            client.say("and now?")
            await until(lambda: client.texts == ["Stopped.", "ok"])
            await until(lambda: server.left == 1)
    # The conversation that the model reads next has a result for the call.
    lost = {"role": "tool", "tool_call_id": "call_0"}
    assert [{**lost, **message} for message in seen[1][3:4]] == [seen[1][3]]
    assert "It may have run" in seen[1][3]["content"]


async def test_a_turn_that_takes_too_long_ends_with_the_text_for_errors() -> None:
    stubborn = Stubborn()

    async def model(request: ModelRequest) -> Message:
        await stubborn.wait()
        return say("late")

    client = PipeClient()
    client.say("go")
    agent = TestedAgent(client, model=model, turn_timeout=0.05)
    async with serving(agent):
        await until(lambda: client.texts == [FAILED])
        await until(lambda: agent.codes() == ["time-out"])
    await stubborn.release()


async def test_clients_that_ignore_their_cancellation_do_not_keep_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_loop, "_STOP_WITHIN", 0.05)
    stubborn = Stubborn()

    class StubbornClient(PipeClient):
        async def receive_message(self) -> MessageContext | None:
            await stubborn.wait()
            return None

        async def stop(self) -> None:
            await stubborn.wait()

    agent = TestedAgent(StubbornClient())
    async with serving(agent):
        await until(lambda: agent.states() == ["started"])
    (stopped,) = [event for event in agent.events if getattr(event, "state", "") == "stopped"]
    assert str(getattr(stopped, "error", "")) == "stop() took longer than 0.05 seconds"
    await stubborn.release()


async def test_a_client_that_never_sends_does_not_keep_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_run, "_DRAIN", 0.05)
    stubborn = Stubborn()
    sending = asyncio.Event()

    class SilentClient(PipeClient):
        async def send_message(self, ctx: MessageContext, reply_messages: Sequence[Message]) -> None:
            sending.set()
            await stubborn.wait()

    client = SilentClient()
    client.say("a")
    async with serving(TestedAgent(client)):
        await sending.wait()
    assert stubborn.ignored == 1
    await stubborn.release()


async def test_a_client_that_cannot_show_the_beginning_of_a_reply_still_sends_the_reply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(partial_reply, "_EVERY", 0.01)
    monkeypatch.setattr(partial_reply, "_END_WITHIN", 0.05)
    stubborn = Stubborn()
    showing = asyncio.Event()

    class HangingClient(PipeClient):
        async def show_partial(self, ctx: MessageContext, text: str) -> Any:
            showing.set()
            await stubborn.wait()

    async def model(request: ModelRequest) -> Message:
        assert request.on_text
        request.on_text("one")
        await showing.wait()
        return say("one two")

    client = HangingClient()
    client.say("count")
    agent = TestedAgent(client, model=model, edit=True)
    async with serving(agent):
        await until(lambda: client.texts == ["one two"])
    assert agent.kinds("reply-error")
    await stubborn.release()


async def test_a_model_whose_own_task_was_cancelled_counts_as_failed() -> None:
    async def model(request: ModelRequest) -> Message:
        raise asyncio.CancelledError

    client = PipeClient()
    client.say("a")
    agent = TestedAgent(client, model=model)
    async with serving(agent):
        await until(lambda: client.texts == [FAILED])
        await until(lambda: agent.codes() == ["model-failed"])


async def test_an_error_that_utf8_cannot_hold_is_stored() -> None:
    async def model(request: ModelRequest) -> Message:
        raise ValueError("half an emoji: \ud83d")

    client = PipeClient()
    client.say("half an emoji: \ud83d", "chat \ud83d")
    agent = TestedAgent(client, model=model)
    async with serving(agent):
        await until(lambda: agent.codes() == ["model-failed"])


async def test_a_model_that_is_a_plain_function_is_refused_with_advice() -> None:
    client = PipeClient()
    client.say("a")
    agent = TestedAgent(client, model=lambda request: say("ok"))
    async with serving(agent):
        await until(lambda: client.texts == [FAILED])
    (error,) = agent.kinds("model-error")
    assert str(getattr(error, "error", "")) == "The model function must be an async function"


async def test_a_reply_is_sent_again_until_the_platform_accepts_or_permanently_refuses_it() -> None:
    failures: list[Exception] = [OSError("down"), OSError("down")]

    async def fail(ctx: MessageContext) -> None:
        if failures:
            raise failures.pop(0)

    client = PipeClient()
    client.on_send = fail
    agent = TestedAgent(client)
    async with serving(agent):
        client.say("a")
        await until(lambda: client.texts == ["You: a"])
        failures.append(RefusedReply("blocked"))
        client.say("b")
        client.say("c")
        await until(lambda: client.texts == ["You: a", "You: c"])
        await until(lambda: agent.codes() == ["answered", "not-sent", "answered"])
    assert len(agent.kinds("reply-error")) == 3


async def test_a_client_that_returns_none_at_once_does_not_keep_the_process_busy() -> None:
    class EmptyClient(PipeClient):
        asked = 0

        async def receive_message(self) -> MessageContext | None:
            self.asked += 1
            return None

    client = EmptyClient()
    async with serving(TestedAgent(client)):
        await until(lambda: client.asked > 1)
        before = client.asked
        await asyncio.sleep(0.2)
    assert client.asked - before <= 5
