"""An agent that is killed with SIGKILL loses no message, and runs no call twice."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from svc import ActionContext, Toolkit
from tests.agent.held_relay import held_relay
from tests.agent.world import World, start_world
from tests.support.repository import NODE, REPOSITORY
from tests.support.running import serving
from tests.support.waiting import PATIENCE, until
from tests.support.wire_server import Answer, Received, Reply, wire_server

PYTHON = REPOSITORY / "python"
CHAT = "1001"


class KillWorld:
    """A service, a model, a platform and a toolkit that run independently of the agent's process."""

    def __init__(self, world: World, store: Path) -> None:
        self.world = world
        self.store = store
        self.runs: dict[str, int] = {}
        #: Labels whose handler waits until the event of this name is set.
        self.held: dict[str, asyncio.Event] = {}
        self.model_answers: list[Answer | Reply] = []
        self.service_url = str(world.line["service"]["url"])
        self.model_url = ""
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        fake = self.world.line["telegram"]["clientOptions"]
        env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(PYTHON / "src"), str(PYTHON))),
            "SVC_BASE_URL": self.service_url,
            "SVC_AGENT_API_KEY": self.world.agent_key,
            "SVC_MODEL": "openai/any",
            "OPENAI_BASE_URL": self.model_url,
            "TELEGRAM_TOKEN": fake["botToken"],
            "TELEGRAM_API_ROOT": fake["apiRoot"],
            "AGENT_STORE": str(self.store),
        }
        command = [sys.executable, "-m", "tests.agent.agent_process"]
        process = await asyncio.to_thread(subprocess.Popen[bytes], command, env=env, stdout=subprocess.PIPE)
        self._process = process
        assert process.stdout
        assert await asyncio.to_thread(process.stdout.readline) == b"started\n"

    def kill(self) -> None:
        """Sends SIGKILL, and ends the lease at once, so that the next process need not wait."""
        if self._process:
            assert self._process.stdout
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()
            self._process = None
            self.execute("UPDATE svc_client SET lease_until = 0")

    def say(self, text: str) -> None:
        self.world.fake("telegram", "say", {"text": text, "chatId": CHAT})

    def sent(self) -> list[str]:
        return [message["text"] for message in self.world.fake("telegram", "sent")]

    def done(self) -> int:
        return len(self.execute("SELECT 1 FROM svc_turn WHERE state = 'done'"))

    def execute(self, sql: str) -> list[Any]:
        with closing(sqlite3.connect(self.store, timeout=5, isolation_level=None)) as database:
            return database.execute(sql).fetchall()

    def define(self, toolkit: Toolkit) -> None:
        label_only = {"label": {"type": "string", "required": True}}

        @toolkit.action(action="count", action_description="Counts a label", payload_description=label_only)
        async def count(ctx: ActionContext, payload: Any) -> Any:
            label = payload["label"]
            self.runs[label] = self.runs.get(label, 0) + 1
            if label in self.held:
                await self.held[label].wait()
            return {"run": self.runs[label]}

        toolkit.action(
            action="destroy",
            action_description="Destroys a label",
            payload_description=label_only,
            annotations={"destructive": True},
        )(count)

    def answer(self, received: Received) -> Reply:
        """The model: two calls at once, one more, and then the text. Invalid conversations are answered 400."""
        messages = received.body["messages"]
        newest = max(index for index, message in enumerate(messages) if message["role"] == "user")
        label = messages[newest]["content"]
        step = sum(message["role"] == "assistant" for message in messages[newest:])
        problem = _problem_of(messages)
        if problem:
            return Reply(400, {"error": {"message": problem}})
        if step == 2:
            return _model_says({"role": "assistant", "content": f"Counted {label}"})
        calls = [_call(index, f"{label}/{step}/{index}") for index in range(2 - step)]
        return _model_says({"role": "assistant", "content": None, "tool_calls": calls})


def _call(index: int, label: str, action: str = "count") -> dict[str, Any]:
    arguments = json.dumps({"action": f"guest__{action}", "payload": {"label": label}})
    # Every step has the same ids: a call is identified by its position.
    return {"id": f"call_{index}", "type": "function", "function": {"name": "invoke_service", "arguments": arguments}}


def _model_says(message: dict[str, Any]) -> Reply:
    return Reply(body={"choices": [{"message": message}]})


def _problem_of(messages: list[dict[str, Any]]) -> str | None:
    """Each call is followed by its result, and there are no other results."""
    expected: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in expected:
                return "a result without a call"
            expected.remove(message["tool_call_id"])
        elif expected:
            return "a call without a result"
        expected += [call["id"] for call in message.get("tool_calls", [])]
    return "a call without a result" if expected else None


@pytest.fixture
async def kill_world(tmp_path: Path) -> AsyncIterator[KillWorld]:
    with start_world() as world:
        killed = KillWorld(world, tmp_path / "agent.db")
        async with AsyncExitStack() as stack:
            toolkit = Toolkit(world.line["keys"]["toolkit"], base_url=killed.service_url)
            killed.define(toolkit)
            await toolkit.update_toolkit(name="guest", description="Counts")
            await stack.enter_async_context(serving(toolkit))
            model = await stack.enter_async_context(wire_server(lambda received: _next_answer(killed, received)))
            killed.model_url = f"{model.url}/v1"
            try:
                yield killed
            finally:
                killed.kill()


def _next_answer(killed: KillWorld, received: Received) -> Reply | Awaitable[Reply]:
    answer = killed.model_answers.pop(0) if killed.model_answers else killed.answer
    return answer if isinstance(answer, Reply) else answer(received)


async def _assert_all_answered(killed: KillWorld, answers: list[str]) -> None:
    await until(lambda: killed.done() == 2)
    assert killed.sent() == answers
    assert killed.runs == {f"{label}/{place}": 1 for label in "ab" for place in ("0/0", "0/1", "1/0")}
    assert killed.execute("SELECT error FROM svc_turn") == [(None,), (None,)]


async def test_killed_while_the_model_is_asked(kill_world: KillWorld) -> None:
    asked = asyncio.Event()

    def hold(received: Received) -> Reply:
        asked.set()
        return Reply(silent=True)

    kill_world.model_answers = [kill_world.answer, hold]
    await kill_world.start()
    kill_world.say("a")
    kill_world.say("b")
    await asyncio.wait_for(asked.wait(), PATIENCE)
    kill_world.kill()
    await kill_world.start()
    await _assert_all_answered(kill_world, ["Counted a", "Counted b"])


async def test_killed_while_a_handler_runs_and_the_next_start_waits_for_its_result(kill_world: KillWorld) -> None:
    kill_world.held["a/0/1"] = asyncio.Event()
    await kill_world.start()
    kill_world.say("a")
    kill_world.say("b")
    await until(lambda: "a/0/1" in kill_world.runs)
    kill_world.kill()
    await kill_world.start()
    kill_world.held["a/0/1"].set()
    await _assert_all_answered(kill_world, ["Counted a", "Counted b"])


async def test_killed_after_the_handler_before_its_result_is_written(kill_world: KillWorld) -> None:
    async with held_relay(kill_world.service_url) as relay:
        kill_world.service_url = relay.url
        await kill_world.start()
        relay.hold()
        kill_world.say("a")
        kill_world.say("b")
        await asyncio.wait_for(relay.reached.wait(), PATIENCE)
        kill_world.kill()
        await kill_world.start()
        await _assert_all_answered(kill_world, ["Counted a", "Counted b"])


async def test_killed_after_the_reply_was_sent_before_the_platform_answers_and_it_is_sent_again(
    kill_world: KillWorld,
) -> None:
    await kill_world.start()
    kill_world.world.fake("telegram", "faults", {"on": "sendMessage", "done": True, "hangMs": 600_000})
    kill_world.say("a")
    kill_world.say("b")
    await until(lambda: kill_world.sent() == ["Counted a"])
    kill_world.kill()
    await kill_world.start()
    await _assert_all_answered(kill_world, ["Counted a", "Counted a", "Counted b"])


async def test_a_question_of_an_approval_survives_and_is_asked_once(kill_world: KillWorld) -> None:
    call = _call(0, "a", "destroy")
    kill_world.model_answers = [
        _model_says({"role": "assistant", "content": None, "tool_calls": [call]}),
        _model_says({"role": "assistant", "content": "Destroyed"}),
    ]
    await kill_world.start()
    kill_world.say("destroy")
    asked = "SELECT 1 FROM svc_turn WHERE state = 'asking' AND json_extract(approval, '$.asked')"
    await until(lambda: kill_world.execute(asked))
    kill_world.kill()
    await kill_world.start()
    kill_world.world.fake("telegram", "press", {"chatId": CHAT, "button": "yes"})
    await until(lambda: kill_world.done() == 1)
    assert [text.partition("\n")[0] for text in kill_world.sent()] == ["May I do this?", "Destroyed"]
    assert kill_world.runs == {"a": 1}


def test_killed_at_random_python_and_typescript_in_turns_on_one_file() -> None:
    command = [NODE, "bench/agent-kills.ts", "--kills", "6", "--python", sys.executable]
    run = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert run.stdout, run.stderr
    audit = json.loads(run.stdout)
    assert {name: audit[name] for name in ("lost", "ranTwice", "invalid", "outOfOrder", "open")} == {
        "lost": [],
        "ranTwice": [],
        "invalid": [],
        "outOfOrder": [],
        "open": 0,
    }
    assert run.returncode == 0
