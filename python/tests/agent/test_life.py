"""Start, stop, several processes on one file, and a file that fails."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import IO, Any, cast

import pytest

from svc import SvcError
from svc.agent import Agent, AgentEvent, ModelRequest, StartError, StoreError, agent_run
from svc.agent.store import store_error
from svc.agent.turns import client_loop
from svc.client.base import Message, MessageContext
from tests.agent.agents import TestedAgent, echo
from tests.agent.pipe_client import PipeClient
from tests.agent.running import serving
from tests.support.repository import REPOSITORY
from tests.support.waiting import PATIENCE, until

PYTHON = REPOSITORY / "python"


class RefusedClient(PipeClient):
    async def start(self) -> None:
        raise ValueError("The platform refuses the token: make a new one")


class FailingClient(PipeClient):
    """A client whose ``receive_message`` raises when the test requests it."""

    def __init__(self, client_id: str) -> None:
        super().__init__(client_id)
        self.failing = asyncio.Event()

    async def receive_message(self) -> MessageContext | None:
        receive = asyncio.ensure_future(super().receive_message())
        fail = asyncio.ensure_future(self.failing.wait())
        await asyncio.wait((receive, fail), return_when=asyncio.FIRST_COMPLETED)
        if receive.done():
            fail.cancel()
            return receive.result()
        receive.cancel()
        raise RuntimeError(f"{self.client_id} was closed")


async def never(request: ModelRequest) -> Message:
    await asyncio.Event().wait()
    raise AssertionError


async def test_serve_reports_a_missing_client_model_or_key(tmp_path: Path) -> None:
    agent = Agent(store=tmp_path / "agent.db")
    with pytest.raises(SvcError, match="The agent has no client"):
        await agent.serve()
    agent.add_client(PipeClient())
    with pytest.raises(
        SvcError, match=r"No model: set SVC_MODEL, or call agent.set_model\('default', 'provider/model'\)"
    ):
        await agent.serve()
    agent.set_model("default", "openai/gpt-5-mini")
    with pytest.raises(SvcError, match="No agent key"):
        await agent.serve()
    with pytest.raises(SvcError, match="a client pipe already"):
        agent.add_client(PipeClient())


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"ask_above": 0.5}, "ask_above must be an amount as a text"),
        ({"approve": "always"}, "approve is 'ask', 'never' or a function"),
        ({"owners": ["ann"]}, "owners are written <client id>/<user id>"),
        ({"owners": "pipe/ann"}, "owners is a list of texts"),
        ({"max_steps": 0}, "max_steps must be a whole number from 1 to 100"),
        ({"max_calls_per_step": 0}, "max_calls_per_step must be a whole number from 1 to 1000"),
        ({"turn_timeout": 0}, "turn_timeout must be a number of seconds"),
        ({"base_url": "tools.example.com"}, "is not an http"),
    ],
)
def test_a_wrong_option_is_refused(option: dict[str, Any], words: str) -> None:
    with pytest.raises(SvcError, match=words) as refused:
        TestedAgent(**option)
    assert refused.value.code == "INVALID_REQUEST"


async def test_an_invalid_message_of_a_client_becomes_an_event_and_the_agent_continues() -> None:
    def changed(**members: Any) -> MessageContext:
        ctx = MessageContext(chat_id="chat", user_id="ann", message="hi")
        for name, value in members.items():
            setattr(ctx, name, value)
        return ctx

    wrong: list[tuple[Callable[[], Any], str]] = [
        (lambda: MessageContext(chat_id="chat", user_id="ann", message=cast(Any, None)), "message must be a text"),
        (lambda: MessageContext(chat_id=cast(Any, None), user_id="ann", message="hi"), "chat_id must be a text"),
        (lambda: changed(user_id=7), "user_id must be a text, not 7"),
        (lambda: changed(user_name={}), "user_name must be a text"),
        (lambda: changed(images="data:"), "images must be a list of data URLs"),
        (lambda: changed(answer=True), "answer must be an Answer"),
        (lambda: changed(address=object()), "it must be JSON: it is stored"),
        (lambda: "hi", "it must be a MessageContext, not str"),
    ]

    class OddClient(PipeClient):
        async def receive_message(self) -> MessageContext | None:
            return (
                wrong[len(agent.events) - 1][0]()
                if len(agent.events) <= len(wrong)
                else await super().receive_message()
            )

    client = OddClient()
    agent = TestedAgent(client)
    client.say("hello")
    async with serving(agent):
        await until(lambda: client.texts == ["You: hello"])
    errors = [str(getattr(event, "error", "")) for event in agent.kinds("message-error")]
    assert len(errors) == len(wrong)
    for error, (_, words) in zip(errors, wrong, strict=True):
        assert error.startswith(f"The client pipe returned a message that is left out: {words}")


async def test_run_within_an_event_loop_fails_with_advice() -> None:
    with pytest.raises(SvcError, match=r"await agent.serve\(\)"):
        TestedAgent(PipeClient()).run()


async def test_serve_raises_when_a_client_cannot_start_after_the_others_were_stopped() -> None:
    good = PipeClient("good")
    agent = TestedAgent(good, RefusedClient("bad"))
    with pytest.raises(StartError, match="The client bad cannot start: The platform refuses the token: make a new one"):
        await agent.serve()
    assert good.states == ["started", "stopped"]


async def test_serve_raises_the_error_of_on_event_and_the_running_turn_ends_normally() -> None:
    def on_event(event: AgentEvent) -> None:
        if event.type == "turn-start":
            raise OSError("The log is full")

    client = PipeClient()
    client.say("a")
    with pytest.raises(OSError, match="The log is full"):
        await TestedAgent(client, on_event=on_event).serve()
    assert client.texts == ["You: a"]


async def test_a_failed_client_leaves_the_others_running_and_the_last_failure_ends_the_agent() -> None:
    one, two = FailingClient("one"), FailingClient("two")
    agent = TestedAgent(one, two)
    running = asyncio.create_task(agent.serve())
    await until(lambda: len(agent.events) == 2)
    one.failing.set()
    await until(lambda: "failed" in agent.states())
    two.say("still here?")
    await until(lambda: two.texts == ["You: still here?"])
    two.failing.set()
    with pytest.raises(RuntimeError, match="two was closed"):
        await running


async def test_a_second_process_takes_the_client_over_when_the_first_ends(tmp_path: Path) -> None:
    store = tmp_path / "agent.db"
    one, two = PipeClient(), PipeClient()
    first, second = TestedAgent(one, store=store), TestedAgent(two, store=store)
    one.say("a")
    two.say("a")
    two.say("b")
    async with serving(first):
        await until(lambda: one.texts == ["You: a"])
        running = asyncio.create_task(second.serve())
        await until(lambda: second.states() == ["waiting"])
    await until(lambda: two.texts == ["You: b"])
    await second.stop()
    await running


async def test_a_process_that_lost_the_client_leaves_its_turns_to_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_loop, "_RENEW_LEASE", 0.02)
    store = tmp_path / "agent.db"
    client = PipeClient()
    left = asyncio.Event()

    async def model(request: ModelRequest) -> Message:
        try:
            return await never(request)
        finally:
            left.set()

    agent = TestedAgent(client, store=store, model=model)
    client.say("a")
    async with serving(agent):
        await until(lambda: agent.kinds("turn-start"))
        _execute(store, "UPDATE svc_client SET owner = 'other', lease_until = ?", int(time.time() * 1000) + 20_000)
        await until(lambda: agent.states()[-1] == "waiting")
        assert left.is_set()
        assert client.states == ["started", "stopped"]
        assert _execute(store, "SELECT state FROM svc_turn") == [("running",)]


async def test_a_process_that_lost_the_client_begins_no_turn_that_waits_for_a_slot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_loop, "_RENEW_LEASE", 0.02)
    store = tmp_path / "agent.db"
    one, two = PipeClient("one"), PipeClient("two")
    agent = TestedAgent(one, two, store=store, model=never, max_concurrent_turns=1)
    one.say("a")
    async with serving(agent):
        await until(lambda: agent.kinds("turn-start"))
        two.say("b")
        await until(lambda: len(_execute(store, "SELECT 1 FROM svc_turn")) == 2)
        until_then = int(time.time() * 1000) + 20_000
        _execute(store, "UPDATE svc_client SET owner = 'other', lease_until = ? WHERE client_id = 'two'", until_then)
        await until(lambda: agent.states()[-1] == "waiting")
        rows = _execute(store, "SELECT state, attempts FROM svc_turn WHERE client_id = 'two'")
        assert rows == [("queued", 0)]
        # The turn of the other client never ends.
        monkeypatch.setattr(agent_run, "_DRAIN", 0.05)


@pytest.mark.parametrize("offset", [-1, 3_600_000], ids=["that has run out", "of a clock that was set back since"])
async def test_a_lease_does_not_keep_the_client(offset: int, tmp_path: Path) -> None:
    store = tmp_path / "agent.db"
    first = TestedAgent(PipeClient(), store=store)
    async with serving(first):
        await until(lambda: first.states() == ["started"])
    _execute(store, "UPDATE svc_client SET owner = 'gone', lease_until = ?", int(time.time() * 1000) + offset)
    client = PipeClient()
    client.say("a")
    async with serving(TestedAgent(client, store=store)):
        await until(lambda: client.texts == ["You: a"])


async def test_a_running_turn_gets_time_to_end() -> None:
    release = asyncio.Event()

    async def model(request: ModelRequest) -> Message:
        await release.wait()
        return await echo(request)

    client = PipeClient()
    agent = TestedAgent(client, model=model)
    client.say("a", "a")
    client.say("b", "b")
    async with serving(agent):
        await until(lambda: len(agent.kinds("turn-start")) == 2)
        stopping = asyncio.create_task(agent.stop())
        await asyncio.sleep(0)
        release.set()
        await stopping
    assert client.texts == ["You: a", "You: b"]


async def test_a_turn_that_outlives_the_grace_period_stays_open_for_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_run, "_DRAIN", 0.05)
    store = tmp_path / "agent.db"
    one, two = PipeClient(), PipeClient()
    one.say("a")
    first = TestedAgent(one, store=store, model=never)
    async with serving(first):
        await until(lambda: first.kinds("turn-start"))
    assert one.texts == []
    async with serving(TestedAgent(two, store=store)):
        await until(lambda: two.texts == ["You: a"])


async def test_a_cancelled_serve_drains_and_a_second_cancellation_does_not_wait() -> None:
    client = PipeClient()
    agent = TestedAgent(client, model=never)
    client.say("a")
    running = asyncio.create_task(agent.serve())
    await until(lambda: agent.kinds("turn-start"))
    running.cancel()
    await asyncio.wait((running,), timeout=0.05)
    assert not running.done()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_an_unwritable_store_ends_the_agent_and_no_message_is_stored(tmp_path: Path) -> None:
    store = tmp_path / "agent.db"
    client = PipeClient()
    agent = TestedAgent(client, store=store)
    running = asyncio.create_task(agent.serve())
    client.say("a")
    await until(lambda: agent.codes() == ["answered"])
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        client.say("b")
        with pytest.raises(StoreError, match="cannot be used: another process has locked it; stop that process"):
            await running
        other.execute("ROLLBACK")
    assert _execute(store, "SELECT count(*) FROM svc_turn") == [(1,)]
    # The lease could not be released either, and expires later.
    _execute(store, "UPDATE svc_client SET owner = NULL")
    later = PipeClient()
    later.say("a")
    later.say("b")
    async with serving(TestedAgent(later, store=store)):
        await until(lambda: later.texts == ["You: b"])


async def test_the_agent_waits_for_a_store_that_is_locked_for_a_moment(tmp_path: Path) -> None:
    store = tmp_path / "agent.db"
    client = PipeClient()
    agent = TestedAgent(client, store=store)
    async with serving(agent):
        await until(lambda: agent.states() == ["started"])
        with closing(sqlite3.connect(store, isolation_level=None, check_same_thread=False)) as other:
            other.execute("BEGIN IMMEDIATE")
            # The agent's own wait for the lock holds the event loop.
            unlocked = asyncio.get_running_loop().run_in_executor(None, _roll_back_after, 1.2, other)
            client.say("a")
            await until(lambda: client.texts == ["You: a"])
            await unlocked


async def test_a_full_disk_ends_the_agent_with_a_remedy_and_no_message_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_error, "_GIVE_UP", 0.3)
    store = tmp_path / "agent.db"
    client = PipeClient()
    agent = TestedAgent(client, store=store, model=never)
    running = asyncio.create_task(agent.serve())
    client.say("a")
    await until(lambda: agent.kinds("turn-start"))
    # SQLite's limit for its own connection: the file may not grow.
    with agent._store._database._use() as connection:
        connection.execute("PRAGMA max_page_count = 1")
    client.say("a" * 100_000)
    with pytest.raises(StoreError, match="cannot be used: the disk is full; make room"):
        # An agent that cannot write must not act, so the running turn gets no time.
        await asyncio.wait_for(running, PATIENCE)
    assert _execute(store, "SELECT count(*) FROM svc_turn") == [(1,)]


def test_only_the_owner_can_read_the_store(tmp_path: Path) -> None:
    store = tmp_path / "agent.db"
    TestedAgent(store=store).set_prompt("system", "private")
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    with pytest.raises(StoreError, match="it cannot be opened; create its folder"):
        TestedAgent(store="/nowhere/agent.db").get_prompt("system")


def test_a_file_of_a_newer_version_and_a_file_that_is_not_a_database_are_refused_with_a_remedy(tmp_path: Path) -> None:
    store = tmp_path / "agent.db"
    _execute(store, "PRAGMA user_version = 2")
    with pytest.raises(StoreError, match="was written by a newer version of svc-sdk"):
        TestedAgent(store=store).get_prompt("system")
    with pytest.raises(StoreError, match="it is not a SQLite database; name another file"):
        TestedAgent(store=__file__).get_prompt("system")


async def test_finished_turns_are_deleted_after_the_retention_days(tmp_path: Path) -> None:
    store = tmp_path / "agent.db"
    client = PipeClient()
    client.say("a")
    first = TestedAgent(client, store=store)
    async with serving(first):
        await until(lambda: first.codes() == ["answered"])
    assert _execute(store, "SELECT count(*) FROM svc_message") == [(2,)]
    _execute(store, "UPDATE svc_turn SET at = at - ?", 3 * 86_400_000)
    second = TestedAgent(PipeClient(), store=store, retention_days=2)
    async with serving(second):
        await until(lambda: second.states() == ["started"])
    assert _execute(store, "SELECT count(*) FROM svc_turn") == [(0,)]
    assert _execute(store, "SELECT count(*) FROM svc_message") == [(0,)]


def test_prompts_and_models_are_set_and_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = TestedAgent()
    assert agent.get_prompt("reply.stopped") == "Stopped."
    agent.set_prompt("reply.stopped", "Halt.")
    agent.set_prompt("mine", "my text")
    assert agent.get_all_prompts()["reply.stopped"] == "Halt."
    assert agent.get_prompt("mine") == "my text"
    agent.set_prompt("reply.stopped", None)
    agent.set_prompt("mine", "")
    assert agent.get_prompt("reply.stopped") == "Stopped."
    assert agent.get_prompt("mine") == ""
    monkeypatch.setenv("SVC_MODEL", "openai/env")
    assert agent.get_model() == agent.get_model("fallback") == "openai/env"
    agent.set_model("default", "openai/one")
    agent.set_model("fallback", "openai/two")
    assert (agent.get_model(), agent.get_model("fallback"), agent.get_model("other")) == (
        "openai/one",
        "openai/two",
        "openai/one",
    )
    agent.set_model("default", None)
    assert agent.get_model() == "openai/env"


async def test_agents_with_different_ids_share_a_file(tmp_path: Path) -> None:
    store = tmp_path / "agent.db"
    one = TestedAgent(store=store, agent_id="one")
    one.set_prompt("system", "I am one")
    assert TestedAgent(store=store, agent_id="one").get_prompt("system") == "I am one"
    assert "helpful assistant" in TestedAgent(store=store, agent_id="two").get_prompt("system")


@pytest.mark.parametrize(("signals", "status"), [(1, 0), (2, 1)], ids=["one ends the run", "the second does not wait"])
def test_signals_end_run(signals: int, status: int) -> None:
    program = """
import asyncio
from tests.agent.agents import TestedAgent, say
from tests.agent.pipe_client import PipeClient

async def model(request):
    print("asked", flush=True)
    await asyncio.to_thread(input)
    return say("done")

class Client(PipeClient):
    async def start(self):
        self.say("a")

    async def send_message(self, ctx, reply_messages):
        await super().send_message(ctx, reply_messages)
        print(self.texts, flush=True)

class EndingAgent(TestedAgent):
    def _end_run(self):
        super()._end_run()
        print("ending", flush=True)

EndingAgent(Client(), model=model, on_event=lambda event: print(event.type, flush=True)).run()
print("over", flush=True)
"""
    env = {**os.environ, "PYTHONPATH": f"{PYTHON}{os.pathsep}{PYTHON / 'src'}"}
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        _skip_to("asked\n", process.stdout)
        process.terminate()
        # Two pending signals of the same kind are delivered as one.
        _skip_to("ending\n", process.stdout)
        if signals == 2:
            process.terminate()
        else:
            process.stdin.write("\n")
            process.stdin.flush()
        rest = process.stdout.read()
        assert process.wait(PATIENCE) == status
    assert ("['done']" in rest, rest.endswith("over\n")) == (signals == 1, signals == 1)


def _skip_to(wanted: str, lines: IO[str]) -> None:
    while line := lines.readline():
        if line == wanted:
            return
    raise AssertionError(f"The program ended before it wrote {wanted!r}")


def _roll_back_after(seconds: float, database: sqlite3.Connection) -> None:
    time.sleep(seconds)
    database.rollback()


def _execute(store: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(store, timeout=5, isolation_level=None)) as database:
        return database.execute(sql, values).fetchall()
