"""The behaviour of a toolkit on its sockets: registration, invocations, loss, moves, heartbeats, the end."""

import asyncio
import gc
import json
import logging
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple, cast

import pytest

from svc import ActionContext, SvcError, Toolkit, run_blocking
from svc.toolkit import (
    ActionError,
    ActionWithHandler,
    CallWarning,
    Cancellation,
    Connected,
    Connecting,
    Disconnected,
    Stopped,
    ToolkitStatus,
    shutdown,
)
from svc.toolkit.backoff import Backoff
from svc.toolkit.fault import ConnectError, Fault
from svc.toolkit.generational_cache import GenerationalCache
from svc.toolkit.service_link import ServiceLink
from svc.toolkit.socket_connection import SocketConnection, open_connection
from tests.support.running import running
from tests.support.waiting import PATIENCE, until
from tests.support.wire_service import REGISTERED, WireService, WireSocket, wire_service

KEY = "svc_toolkit_test"


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The waits of the backoff are random up to 0.25 s; these tests use the minimum."""
    monkeypatch.setattr("random.random", lambda: 0.01)


def toolkit_of(service: WireService, **options: Any) -> tuple[Toolkit, asyncio.Event]:
    """Actions: ``echo``; ``gate`` waits for the event; ``wait`` waits until it should stop."""
    toolkit = Toolkit(KEY, base_url=service.url, **options)
    gate = asyncio.Event()

    @toolkit.action(action="echo", action_description="Echoes")
    async def echo(ctx: ActionContext, payload: Any) -> Any:
        return payload

    @toolkit.action(action="gate", action_description="Waits")
    async def wait_for_gate(ctx: ActionContext) -> str:
        await gate.wait()
        return "passed"

    @toolkit.action(action="wait", action_description="Waits for its end")
    async def wait(ctx: ActionContext) -> Any:
        await ctx.cancelled.wait()
        return ctx.cancelled.reason

    return toolkit, gate


async def serve(toolkit: Toolkit, service: WireService, **members: Any) -> WireSocket:
    socket = await service.socket()
    await socket.accept(**members)
    await toolkit.ready()
    return socket


class Served(NamedTuple):
    """A registered toolkit of ``toolkit_of``, and the service's side of its socket."""

    socket: WireSocket
    toolkit: Toolkit
    gate: asyncio.Event
    service: WireService
    run: "asyncio.Task[None]"


@asynccontextmanager
async def served(*, registered: dict[str, Any] | None = None, **options: Any) -> AsyncIterator[Served]:
    """A serving toolkit.

    Args:
        registered: members of the answer to ``register``.
        **options: of the toolkit.
    """
    async with wire_service() as service:
        toolkit, gate = toolkit_of(service, **options)
        async with running(toolkit) as run:
            socket = await serve(toolkit, service, **registered or {})
            yield Served(socket, toolkit, gate, service, run)


# Registration


async def test_the_registration_describes_the_whole_instance() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service, concurrency=7)
        toolkit.action(
            action="paid",
            action_description="Paid",
            payload_description="words",
            annotations={"readOnly": True},
            payment={"amount": "0.05"},
        )(lambda ctx: 1)
        await toolkit.update_toolkit(name="Name")
        await toolkit.update_toolkit(description="Words")
        async with running(toolkit):
            socket = await service.socket()
            params = await socket.accept()
            assert socket.headers["authorization"] == f"Bearer {KEY}"
            assert KEY not in str(socket.connection.request and socket.connection.request.path)
            assert socket.headers.get("sec-websocket-extensions") is None
            socket.cut()
            again = await (await service.socket()).accept()
    assert params["actions"][-1] == {
        "action": "paid",
        "actionDescription": "Paid",
        "payloadDescription": "words",
        "annotations": {"readOnly": True},
        "payment": {"amount": "0.05"},
    }
    assert params["sdk"].startswith("svc-sdk-py/")
    numbers = {"protocol": 1, "concurrency": 7, "unfinished": [], "connection": 1, "registered": 0}
    assert {name: params[name] for name in numbers} == numbers
    assert params["toolkit"] == {"name": "Name", "description": "Words"}
    assert again == {**params, "connection": 2, "registered": 1}


async def test_ready_returns_the_answer_of_the_service() -> None:
    warning = {"rule": "short", "severity": "warning", "message": "Short", "hint": "Write more"}
    async with wire_service() as service:
        statuses: list[ToolkitStatus] = []
        toolkit, _ = toolkit_of(service, on_status=statuses.append)
        async with running(toolkit):
            waiting = asyncio.create_task(toolkit.ready())
            socket = await service.socket()
            await socket.accept(
                accepted=["wire__echo"], warnings=[warning, "?", {"rule": 1}], moreWarnings=3, held=["wire__gate"]
            )
            registration = await waiting
        assert registration.toolkit.id == "wire"
        assert registration.accepted == ["wire__echo"]
        assert (registration.warnings, registration.more_warnings, registration.held) == ([warning], 3, ["wire__gate"])
        assert statuses == [Connecting(), Connected(registration=registration, rejected=[]), Stopped()]


REJECTED = [{"action": "echo", "message": "Too short"}, {"action": "gate", "message": "Too long"}]


async def test_a_rejected_action_of_the_first_registration_ends_run() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        run = asyncio.create_task(toolkit.run())
        socket = await service.socket()
        await socket.accept(rejected=REJECTED)
        with pytest.raises(
            SvcError, match=r'rejected 2 of the actions\. "echo": Too short; "gate": Too long'
        ) as failed:
            await run
        assert failed.value.code == "INVALID_ACTION"
        with pytest.raises(SvcError, match="rejected 2"):
            await toolkit.ready()
        with pytest.raises(SvcError, match="rejected 2"):
            await toolkit.run()
        assert (await socket.closed())[0] == 1000


async def test_skipped_actions_are_reported(caplog: pytest.LogCaptureFixture) -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service, on_rejected="skip")
        async with running(toolkit):
            socket = await service.socket()
            await socket.accept(rejected=REJECTED)
            await toolkit.ready()
            socket.cut()
            await (await service.socket()).accept(rejected=REJECTED)
            await until(lambda: len(caplog.messages) >= 2)
    assert caplog.messages == [
        'svc-sdk: action "echo" was rejected and is skipped: Too short',
        'svc-sdk: action "gate" was rejected and is skipped: Too long',
    ]


async def test_a_refused_first_registration_ends_run_and_a_refused_later_registration_is_retried() -> None:
    refusal = {"code": -32000, "message": "Too many", "data": {"code": "INVALID_ACTION", "issues": [1]}}
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        run = asyncio.create_task(toolkit.run())
        socket = await service.socket()
        frame = await socket.next()
        await socket.send({"jsonrpc": "2.0", "id": frame["id"], "error": refusal})
        with pytest.raises(SvcError, match="Too many") as failed:
            await run
        assert (failed.value.code, failed.value.details["issues"]) == ("INVALID_ACTION", [1])

        later, _ = toolkit_of(service)
        async with running(later):
            socket = await service.socket()
            await socket.accept()
            socket.cut()
            socket = await service.socket()
            frame = await socket.next()
            await socket.send({"jsonrpc": "2.0", "id": frame["id"], "error": refusal})
            await (await service.socket()).accept()


async def test_a_registration_that_is_too_large_ends_run() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        run = asyncio.create_task(toolkit.run())
        socket = await service.socket()
        assert (await socket.next())["method"] == "register"
        await socket.connection.close(1009)
        with pytest.raises(SvcError, match="shorten their payload descriptions") as failed:
            await run
    assert failed.value.code == "REQUEST_TOO_LARGE"


async def test_a_retryable_refusal_is_retried_after_its_wait() -> None:
    async with wire_service() as service:
        statuses: list[ToolkitStatus] = []
        toolkit, _ = toolkit_of(service, on_status=statuses.append)
        async with running(toolkit):
            socket = await service.socket()
            frame = await socket.next()
            await socket.refuse(frame, "No database", code="SERVICE_UNAVAILABLE", retryable=True, retryAfterMs=200)
            await (await service.socket()).accept()
    lost = next(status for status in statuses if isinstance(status, Disconnected))
    assert (lost.reason.code, lost.retry_in) == ("SERVICE_UNAVAILABLE", 0.2)


async def test_an_action_added_while_it_runs_is_registered_once_for_all() -> None:
    async with wire_service() as service:
        statuses: list[ToolkitStatus] = []
        toolkit, _ = toolkit_of(service, on_status=statuses.append)
        async with running(toolkit):
            socket = await service.socket()
            await socket.accept()
            await toolkit.ready()
            for name in ("one", "two"):
                toolkit.action(action=name, action_description="New")(lambda ctx: 1)
            params = await socket.accept()
            assert [each["action"] for each in params["actions"]][-2:] == ["one", "two"]
            assert params["connection"] == 1

            toolkit.action(action="three", action_description="New")(lambda ctx: 1)
            frame = await socket.next()
            await socket.refuse(frame, "Too many", code="INVALID_ACTION")
            last = await until(lambda: isinstance(statuses[-1], Connected) and statuses[-1].refused)
            assert last.message == "Too many"
            await socket.invoke("inv_1", "echo", {"n": 1})
            assert (await socket.next())["result"] == {"n": 1}


async def test_an_update_waits_for_the_connection_and_raises_a_refusal() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        async with running(toolkit):
            socket = await service.socket()
            await socket.accept()
            await toolkit.ready()
            update = asyncio.create_task(toolkit.update_toolkit(description="New words"))
            assert (await socket.next())["params"] == {"description": "New words"}
            socket.cut()
            socket = await service.socket()
            params = await socket.accept()
            assert params["toolkit"] == {"description": "New words"}
            frame = await socket.next()
            assert (frame["method"], frame["params"]) == ("update", {"description": "New words"})
            await socket.answer(frame)
            await update

            refused = asyncio.create_task(toolkit.update_toolkit(name="Bad"))
            frame = await socket.next()
            await socket.refuse(frame, "Too long", code="INVALID_REQUEST")
            with pytest.raises(SvcError, match="Too long"):
                await refused
            socket.cut()
            assert (await (await service.socket()).accept())["toolkit"] == {"description": "New words"}
        with pytest.raises(SvcError, match="The toolkit was stopped"):
            await toolkit.update_toolkit(name="Late")


async def test_a_list_that_is_refused_for_an_update_is_sent_again_without_it() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        async with running(toolkit):
            socket = await service.socket()
            await socket.accept()
            await toolkit.ready()
            refused = asyncio.create_task(toolkit.update_toolkit(name="Long"))
            update = await socket.next()
            toolkit.action(action="later", action_description="New")(lambda ctx: 1)
            register = await socket.next()
            assert register["params"]["toolkit"] == {"name": "Long"}
            for frame in (update, register):
                await socket.refuse(frame, "Too long", code="INVALID_REQUEST")
            with pytest.raises(SvcError, match="Too long"):
                await refused
            again = await socket.accept()
            assert "toolkit" not in again
            assert again["actions"][-1]["action"] == "later"


async def test_an_update_for_which_a_reconnect_is_refused_is_refused_too() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        async with running(toolkit):
            socket = await service.socket()
            await socket.accept()
            await toolkit.ready()
            refused = asyncio.create_task(toolkit.update_toolkit(name="Long"))
            await socket.next()
            socket.cut()
            socket = await service.socket()
            register = await socket.next()
            assert register["params"]["toolkit"] == {"name": "Long"}
            await socket.refuse(register, "Too long", code="INVALID_REQUEST")
            with pytest.raises(SvcError, match="Too long"):
                await refused
            assert "toolkit" not in await (await service.socket()).accept()


# Keys and addresses


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_ends_run(status: int) -> None:
    problem = {"code": "WRONG_KEY_KIND", "detail": "This needs a toolkit key"}

    def refuse(connection: Any, request: Any) -> Any:
        response = connection.respond(status, json.dumps(problem))
        response.headers["content-type"] = "application/problem+json"
        return response

    async with wire_service(process_request=refuse) as service:
        toolkit, _ = toolkit_of(service)
        with pytest.raises(SvcError, match="This needs a toolkit key") as failed:
            await toolkit.run()
    assert failed.value.code == "WRONG_KEY_KIND"


async def test_a_key_that_is_revoked_after_the_start_ends_run() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        run = asyncio.create_task(toolkit.run())
        socket = await service.socket()
        await socket.accept()
        await socket.connection.close(4401, "KEY_REVOKED")
        with pytest.raises(SvcError, match="closed the connection: KEY_REVOKED") as failed:
            await run
    assert failed.value.code == "KEY_REVOKED"


async def test_a_redirect_is_not_followed() -> None:
    async with wire_service() as other:

        def redirect(connection: Any, request: Any) -> Any:
            response = connection.respond(307, "elsewhere")
            response.headers["location"] = f"{other.url}/v1/toolkit"
            return response

        statuses: list[ToolkitStatus] = []
        async with wire_service(process_request=redirect) as service:
            toolkit, _ = toolkit_of(service, on_status=statuses.append)
            async with running(toolkit):
                await until(lambda: sum(isinstance(status, Disconnected) for status in statuses) >= 2)
        assert other.sockets.empty()
    lost = statuses[1]
    assert isinstance(lost, Disconnected)
    assert "answered 307; is base_url right?" in lost.reason.message


async def test_a_toolkit_without_a_connection_logs_a_line(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svc.toolkit.status_reporter._PATIENCE", 0.1)
    async with wire_service() as service:
        url = service.url
        port = int(url.rpartition(":")[2])
    toolkit = Toolkit(KEY, base_url=url)
    async with running(toolkit):
        await until(lambda: caplog.messages)
        async with wire_service(port) as service:
            await (await service.socket()).accept()
            await until(lambda: len(caplog.messages) == 2)
    assert "The toolkit is not connected: No connection to ws://127.0.0.1" in caplog.messages[0]
    assert caplog.messages[1] == f"svc-sdk: The toolkit is connected to ws{url[4:]}/v1/toolkit"
    assert all(record.levelno == logging.WARNING for record in caplog.records)


async def test_a_raising_listener_disturbs_nothing() -> None:
    def refuse(status: object) -> None:
        raise RuntimeError("no")

    async with wire_service() as service:
        toolkit, _ = toolkit_of(service, on_status=refuse, on_warning=refuse)
        async with running(toolkit):
            socket = await service.socket()
            await socket.accept()
            await socket.notify("warning", {"invocationId": "inv_1", "message": "Wrong charge"})
            await socket.invoke("inv_2", "echo")
            assert (await socket.next())["result"] == {}


async def test_warnings_reach_the_developer() -> None:
    warnings: list[CallWarning] = []
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service, on_warning=warnings.append)
        async with running(toolkit):
            socket = await service.socket()
            await socket.accept()
            every: list[Any] = [None, [], {"invocationId": 1}, {"invocationId": "inv_1", "message": "Wrong charge"}]
            for params in every:
                await socket.notify("warning", params)
            await until(lambda: warnings)
    assert warnings == [CallWarning("inv_1", "Wrong charge")]


# Invocations


async def test_more_calls_than_the_concurrency_wait_in_their_order() -> None:
    async with served(concurrency=1) as (socket, _, gate, *_):
        await socket.invoke("inv_1", "gate")
        await socket.invoke("inv_2", "echo", {"n": 2})
        await socket.invoke("inv_3", "echo", {"n": 3})
        await socket.notify("cancel", {"invocationId": "inv_2", "reason": "cancelled"})
        cancelled = await socket.next()
        assert cancelled["id"] == "inv_2"
        assert cancelled["error"]["data"]["code"] == "INVOCATION_CANCELLED"
        gate.set()
        assert [(await socket.next())["id"] for _ in range(2)] == ["inv_1", "inv_3"]


async def test_a_call_whose_time_is_over_does_not_start() -> None:
    async with served(concurrency=1) as (socket, _, gate, *_):
        await socket.invoke("inv_1", "gate")
        await socket.invoke("inv_2", "echo", timeoutMs=1)
        await socket.invoke("inv_3", "echo", timeoutMs=-5)
        await socket.invoke("inv_4", "echo")
        await asyncio.sleep(0.01)
        gate.set()
        frames = {frame["id"]: frame for frame in [await socket.next() for _ in range(4)]}
    for late in ("inv_2", "inv_3"):
        assert frames[late]["error"]["data"]["code"] == "INVOCATION_TIMEOUT"
    assert frames["inv_4"]["result"] == {}


@pytest.mark.parametrize(("sent", "reason"), [("cancelled", "cancelled"), ("timeout", "timeout"), (None, "cancelled")])
async def test_a_cancel_right_behind_its_call_reaches_the_handler(sent: str | None, reason: str) -> None:
    async with served() as (socket, *_):
        await socket.invoke("inv_1", "wait")
        await socket.notify("cancel", {"invocationId": "inv_1", "reason": sent})
        assert (await socket.next())["result"] == reason


async def test_the_deadline_reaches_the_handler_without_the_service() -> None:
    async with served() as (socket, *_):
        await socket.invoke("inv_1", "wait", timeoutMs=100)
        assert (await socket.next())["result"] == "timeout"


async def test_a_cancel_scope_cancels_its_block() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        left: list[str] = []

        @toolkit.action(action="scope", action_description="Waits inside")
        async def scope(ctx: ActionContext, payload: dict[str, Any]) -> Any:
            if payload.get("first"):
                await ctx.cancelled.wait()
            try:
                async with ctx.cancel_scope():
                    await asyncio.sleep(0 if payload.get("quick") else 60)
            finally:
                left.append(ctx.invocation_id)
            await asyncio.sleep(0)
            return "went on"

        async with running(toolkit):
            socket = await serve(toolkit, service)
            await socket.invoke("inv_1", "scope")
            await socket.invoke("inv_2", "scope", {"quick": True})
            await socket.invoke("inv_3", "scope", {"first": True})
            assert (await socket.next())["result"] == "went on"
            for number, reason, code in (
                ("1", "timeout", "INVOCATION_TIMEOUT"),
                ("3", "cancelled", "INVOCATION_CANCELLED"),
            ):
                await socket.notify("cancel", {"invocationId": f"inv_{number}", "reason": reason})
                assert (await socket.next())["error"]["data"]["code"] == code
    assert sorted(left) == ["inv_1", "inv_2", "inv_3"]


async def test_a_scope_whose_block_ends_with_its_cancel_spares_the_code_behind_it() -> None:
    cancelled = Cancellation()
    with pytest.raises(ActionError, match="The deadline passed"):
        async with cancelled.scope():
            cancelled.set("timeout")
    await asyncio.sleep(0)
    with pytest.raises(ActionError, match="The deadline passed"):
        async with cancelled.scope():
            await asyncio.sleep(60)


async def test_a_cancel_from_outside_is_not_an_action_error() -> None:
    async def work() -> None:
        async with Cancellation().scope():
            await asyncio.sleep(60)

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_deadline_is_seen_by_handlers_that_look_and_by_those_that_wait() -> None:
    loop = asyncio.get_running_loop()
    assert Cancellation(loop.time() - 1).reason == "timeout"
    waited = Cancellation(loop.time() + 0.05)
    assert not waited
    await waited.wait()
    assert waited.reason == "timeout"
    in_thread = Cancellation(loop.time() + 0.05)
    assert await asyncio.to_thread(in_thread.wait_in_thread)
    with pytest.raises(ActionError, match="The deadline passed"):
        async with Cancellation(loop.time() + 0.05).scope():
            await asyncio.sleep(60)


async def test_a_deadline_after_the_end_of_the_handler_sets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + 60
    ended, running_on = Cancellation(ends_at), Cancellation(ends_at)
    ended.close()
    with monkeypatch.context() as later:
        later.setattr(loop, "time", lambda: ends_at + 1)
        assert (ended.reason, running_on.reason) == (None, "timeout")


async def test_the_results_of_one_turn_arrive_in_their_order() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)

        @toolkit.action(action="big", action_description="Answers with a long text")
        async def big(ctx: ActionContext) -> str:
            return ctx.invocation_id * 3_000

        async with running(toolkit):
            socket = await service.socket()
            await socket.accept()
            ids = [f"inv_{number}" for number in range(20)]
            for each in ids:
                await socket.invoke(each, "big")
            answers = [await socket.next() for _ in ids]
    assert [(each["id"], each["result"]) for each in answers] == [(each, each * 3_000) for each in ids]


async def test_a_plain_handler_waits_for_its_cancel_in_a_thread() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)

        waited = threading.Event()

        @toolkit.action(action="block", action_description="Blocks")
        def block(ctx: ActionContext) -> Any:
            first = ctx.cancelled.wait_in_thread(0.001)
            waited.set()
            return [first, ctx.cancelled.wait_in_thread(PATIENCE), bool(ctx.cancelled)]

        async with running(toolkit):
            socket = await serve(toolkit, service)
            await socket.invoke("inv_1", "block")
            assert await asyncio.to_thread(waited.wait, PATIENCE)
            await socket.notify("cancel", {"invocationId": "inv_1", "reason": "cancelled"})
            assert (await socket.next())["result"] == [False, True, True]


async def test_one_id_runs_once_and_is_answered_for_each_delivery() -> None:
    runs = 0
    async with wire_service() as service:
        toolkit, gate = toolkit_of(service)

        @toolkit.action(action="count", action_description="Counts")
        async def count(ctx: ActionContext) -> int:
            nonlocal runs
            runs += 1
            await gate.wait()
            return runs

        async with running(toolkit):
            socket = await serve(toolkit, service)
            await socket.invoke("inv_1", "count")
            await socket.invoke("inv_1", "count")
            await socket.invoke("inv_2", "echo")
            assert (await socket.next())["id"] == "inv_2"
            gate.set()
            assert (await socket.next())["result"] == 1
            beat = await socket.next()
            assert beat["method"] == "heartbeat"
            await socket.answer(beat)
            await socket.invoke("inv_1", "count")
            assert (await socket.next())["result"] == 1
    assert runs == 1


async def test_an_id_whose_result_was_removed_is_an_unknown_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svc.toolkit.invocations._REMEMBERED_CHARS", 10)
    async with served() as (socket, *_):
        await socket.invoke("inv_1", "echo", {"text": "long enough"})
        assert "result" in await socket.next()
        await socket.answer(await socket.next())
        await socket.invoke("inv_1", "echo")
        error = (await socket.next())["error"]
    assert (error["code"], error["data"]["code"]) == (-32001, "OUTCOME_UNKNOWN")


def test_the_memory_of_outcomes_is_bounded() -> None:
    cache: GenerationalCache[int] = GenerationalCache(10)
    for number in range(100):
        cache.add(str(number), number, 1)
    assert cache.get("99") == 99
    assert cache.get("95") == 95
    assert cache.get("5") is None


@pytest.mark.parametrize("params", [None, [], {}, {"action": "echo"}, {"action": 1, "agentId": "a", "timeoutMs": 1}])
async def test_a_malformed_invoke_is_answered(params: Any) -> None:
    async with served() as (socket, *_):
        await socket.send({"jsonrpc": "2.0", "id": "inv_1", "method": "invoke", "params": params})
        error = (await socket.next())["error"]
    assert (error["code"], error["data"]["code"]) == (-32602, "INVALID_REQUEST")


@pytest.mark.parametrize("payload", [None, {}])
async def test_an_absent_payload_is_an_empty_object(payload: Any) -> None:
    async with served() as (socket, *_):
        await socket.invoke("inv_1", "echo", payload)
        assert (await socket.next())["result"] == {}


async def test_odd_frames_are_ignored_and_three_malformed_frames_close_the_connection() -> None:
    async with served() as (socket, _, _, service, *_):
        odd: list[Any] = [
            {"jsonrpc": "2.0", "id": 999, "result": 1},
            {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "?"}},
            {"jsonrpc": "2.0", "id": [1], "result": 1},
            {"jsonrpc": "2.0", "id": True, "result": 1},
            {"jsonrpc": "2.0", "method": "unknown", "params": 1},
            {"jsonrpc": "2.0", "method": "cancel"},
            {"jsonrpc": "2.0", "method": "cancel", "params": {"invocationId": ["a"]}},
            {"jsonrpc": "2.0", "method": "reconnect", "params": {"withinMs": "soon"}},
            {"jsonrpc": "2.0", "method": "reconnect", "params": {"withinMs": -1}},
        ]
        for frame in odd:
            await socket.send(frame)
        await socket.send({"jsonrpc": "2.0", "id": 7, "method": "invoke", "params": {}})
        assert (await socket.next())["error"]["code"] == -32601
        await socket.send_text("no json")
        await socket.send_text(b"binary")
        await socket.send_text("[" * 100_000)
        assert (await socket.closed())[0] == 4400
        await (await service.socket()).accept()


async def test_an_invalid_answer_to_register_closes_the_connection() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        async with running(toolkit):
            answers: list[Any] = [{}, {"toolkit": {"id": "a"}, "accepted": [], "rejected": [1], "awaiting": []}, []]
            for answer in answers:
                socket = await service.socket()
                await socket.answer(await socket.next(), answer)
                assert (await socket.closed())[0] == 4400


# Results


async def test_a_result_is_stored_until_a_heartbeat_confirms_it() -> None:
    async with served() as (socket, toolkit, _, service, *_):
        await socket.invoke("inv_1", "echo", {"n": 1})
        assert (await socket.next())["result"] == {"n": 1}
        socket.cut()
        socket = await service.socket()
        assert (await socket.accept(awaiting=["inv_1"]))["unfinished"] == ["inv_1"]
        frame = await socket.next()
        assert (frame["method"], frame["params"]) == ("result", {"invocationId": "inv_1", "result": {"n": 1}})
        await socket.answer(frame, {"accepted": True})

        await socket.invoke("inv_2", "echo", {"n": 2})
        assert (await socket.next())["id"] == "inv_2"
        await socket.answer(await socket.next())
        await until(lambda: toolkit._session and not toolkit._session._invocations.unfinished())
        socket.cut()
        assert (await (await service.socket()).accept())["unfinished"] == []


async def test_a_heartbeat_confirms_no_result_of_an_earlier_connection() -> None:
    async with served() as (socket, toolkit, _, service, *_):
        await socket.invoke("inv_1", "echo")
        assert (await socket.next())["id"] == "inv_1"
        socket.cut()
        socket = await service.socket()
        await socket.accept(awaiting=["inv_1"])
        assert (await socket.next())["method"] == "result"
        await socket.invoke("inv_2", "echo")
        assert (await socket.next())["id"] == "inv_2"
        beat = await socket.next()
        assert beat["method"] == "heartbeat"
        await socket.answer(beat)
        await until(lambda: toolkit._session and toolkit._session._invocations.unfinished() == ["inv_1"])
        socket.cut()
        assert (await (await service.socket()).accept())["unfinished"] == ["inv_1"]


async def test_a_result_that_is_not_awaited_is_released_and_its_handler_stops() -> None:
    async with served() as (socket, toolkit, _, service, *_):
        await socket.invoke("inv_1", "wait")
        await socket.invoke("inv_2", "echo")
        assert (await socket.next())["id"] == "inv_2"
        socket.cut()
        socket = await service.socket()
        assert (await socket.accept(awaiting=[]))["unfinished"] == ["inv_1", "inv_2"]
        await until(lambda: toolkit._session and not toolkit._session._invocations.unfinished())
        # The call ran here, so it does not run again.
        await socket.invoke("inv_1", "wait")
        assert (await socket.next())["result"] == "cancelled"


async def test_a_call_that_is_not_awaited_any_more_does_not_start() -> None:
    runs: list[str] = []
    async with wire_service() as service:
        toolkit, gate = toolkit_of(service, concurrency=1)

        @toolkit.action(action="note", action_description="Notes its run")
        async def note(ctx: ActionContext) -> None:
            runs.append(ctx.invocation_id)

        async with running(toolkit):
            socket = await serve(toolkit, service)
            for invocation_id, action in (("inv_1", "gate"), ("inv_2", "note"), ("inv_3", "note")):
                await socket.invoke(invocation_id, action)
            await until(lambda: toolkit._session and len(toolkit._session._invocations.unfinished()) == 3)
            socket.cut()
            socket = await service.socket()
            assert (await socket.accept(awaiting=["inv_1"]))["unfinished"] == ["inv_1", "inv_2", "inv_3"]
            # The call never ran, so a second delivery may run.
            await socket.invoke("inv_3", "note")
            await socket.invoke("inv_4", "note")
            known = ["inv_1", "inv_3", "inv_4"]
            await until(lambda: toolkit._session and toolkit._session._invocations.unfinished() == known)
            gate.set()
            frames = [await socket.next() for _ in range(3)]
    assert runs == ["inv_3", "inv_4"]
    assert [frame.get("params", {}).get("invocationId") or frame["id"] for frame in frames] == ["inv_1", *runs]


async def test_results_that_end_while_it_registers_are_delivered_once() -> None:
    async with served() as (socket, toolkit, gate, service, *_):
        await socket.invoke("inv_1", "gate")
        await socket.invoke("inv_2", "echo")
        assert (await socket.next())["id"] == "inv_2"
        socket.cut()
        socket = await service.socket()
        register = await socket.next()
        gate.set()
        await until(lambda: toolkit._session and not toolkit._session._invocations.busy)
        answer = {"toolkit": {"id": "w"}, "accepted": [], "rejected": [], "heartbeatMs": 60_000}
        await socket.answer(register, {**answer, "awaiting": ["inv_1"]})
        frame = await socket.next()
        assert frame["params"] == {"invocationId": "inv_1", "result": "passed"}
        await socket.answer(frame, {"accepted": True})
        await socket.invoke("inv_3", "echo")
        assert (await socket.next())["id"] == "inv_3"


async def test_a_result_that_is_too_large_is_an_error_of_its_call() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        toolkit.action(action="huge", action_description="Huge")(lambda ctx: "é" * 4_500_000)
        toolkit.action(action="large", action_description="Large")(lambda ctx: "x" * 8_000_000)
        async with running(toolkit):
            socket = await serve(toolkit, service)
            await socket.invoke("inv_1", "huge")
            error = (await socket.next())["error"]
            assert error["data"]["code"] == "RESULT_TOO_LARGE"
            assert "The result has 90000" in error["message"]
            await socket.invoke("inv_2", "large")
            assert len((await socket.next())["result"]) == 8_000_000
            # A service with a lower limit closes the connection: the same frame does not come again.
            await socket.connection.close(1009)
            socket = await service.socket()
            await socket.accept(awaiting=["inv_2"])
            error = (await socket.next())["params"]["error"]
            assert error["data"]["code"] == "RESULT_TOO_LARGE"


async def test_a_frame_of_eight_mebibytes_is_read() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        toolkit.action(action="size", action_description="Measures")(lambda ctx, payload: len(payload["text"]))
        async with running(toolkit):
            socket = await serve(toolkit, service)
            await socket.invoke("inv_1", "size", {"text": "x" * (8 * 1024 * 1024 - 500)})
            assert (await socket.next())["result"] == 8 * 1024 * 1024 - 500


# Loss, heartbeats, moves


async def test_the_toolkit_reconnects_after_every_close_code() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        async with running(toolkit):
            for code in (1000, 1001, 1011, 4400, 4408, 4409, 4410, 4999):
                socket = await service.socket()
                await socket.accept()
                await socket.connection.close(code)
            await (await service.socket()).accept()


def test_waits_have_full_jitter_and_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.random", lambda: 1.0)
    backoff = Backoff()
    waits = [backoff.next(None) for _ in range(10)]
    assert waits[:5] == [0.25, 0.5, 1.0, 2.0, 4.0]
    assert max(waits) == waits[-1] == 30
    backoff.reset()
    assert backoff.next(None) == 0.25
    assert backoff.next(120) == 30
    monkeypatch.setattr("random.random", lambda: 0.0)
    assert Backoff().next(None) == 0


async def test_heartbeats_are_sent_in_time_and_an_unanswered_heartbeat_cuts_the_connection() -> None:
    async with wire_service() as service:
        statuses: list[ToolkitStatus] = []
        toolkit, _ = toolkit_of(service, on_status=statuses.append)
        async with running(toolkit):
            socket = await serve(toolkit, service, heartbeatMs=100)
            for _ in range(3):
                frame = await socket.next()
                assert (frame["method"], frame["params"]) == ("heartbeat", {})
                await socket.answer(frame)
            assert (await socket.next())["method"] == "heartbeat"
            await (await service.socket()).accept()
    lost = next(status for status in statuses if isinstance(status, Disconnected))
    assert "no answer to a heartbeat within 0.1 s" in lost.reason.message


async def test_a_blocked_event_loop_still_counts_answers_that_have_arrived() -> None:
    async with served(registered={"heartbeatMs": 100}) as (socket, *_):
        frame = await socket.next()
        await socket.answer(frame)
        frame = await socket.next()
        answered = asyncio.create_task(socket.answer(frame))
        await answered
        time.sleep(0.4)
        assert (await socket.next())["method"] == "heartbeat"


async def test_a_handler_that_blocks_its_thread_does_not_stop_heartbeats() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        gate = threading.Event()
        toolkit.action(action="block", action_description="Blocks")(lambda ctx: gate.wait(30))
        async with running(toolkit):
            socket = await serve(toolkit, service, heartbeatMs=50)
            await socket.invoke("inv_1", "block")
            for _ in range(5):
                frame = await socket.next()
                assert frame["method"] == "heartbeat"
                await socket.answer(frame)
            gate.set()
            assert await _result(socket, "inv_1") is True


async def _result(socket: WireSocket, invocation_id: str) -> Any:
    while True:
        frame = await socket.next()
        if frame.get("id") == invocation_id:
            return frame["result"]
        await socket.answer(frame)


async def test_a_move_opens_the_new_connection_before_it_closes_the_old_one() -> None:
    async with wire_service() as service:
        statuses: list[ToolkitStatus] = []
        toolkit, gate = toolkit_of(service, on_status=statuses.append)
        async with running(toolkit):
            former = await serve(toolkit, service)
            await former.invoke("inv_1", "gate")
            await former.notify("reconnect", {"withinMs": 50})
            await former.notify("reconnect", {"withinMs": 0})
            socket = await service.socket()
            register = await socket.next()
            assert register["params"]["unfinished"] == ["inv_1"]
            assert (register["params"]["connection"], register["params"]["registered"]) == (2, 1)
            # The old connection is retired, and later frames on it are not read.
            await former.invoke("inv_lost", "echo")
            assert (await former.closed()) == (1000, [])
            answer = {"toolkit": {"id": "w"}, "accepted": [], "rejected": [], "heartbeatMs": 60_000}
            await socket.answer(register, {**answer, "awaiting": ["inv_1"]})
            gate.set()
            assert (await socket.next())["params"]["result"] == "passed"
            assert service.sockets.empty()
    assert [status.state for status in statuses] == ["connecting", "connected", "connected", "stopped"]


async def test_the_toolkit_stays_while_no_other_node_answers() -> None:
    refusing = False

    def refuse(connection: Any, request: Any) -> Any:
        return connection.respond(503, "stopping") if refusing else None

    async with wire_service(process_request=refuse) as service:
        toolkit, _ = toolkit_of(service)
        async with running(toolkit):
            former = await serve(toolkit, service)
            refusing = True
            await former.notify("reconnect", {"withinMs": 0})
            await asyncio.sleep(0.1)
            await former.invoke("inv_1", "echo", {"n": 1})
            assert (await former.next())["result"] == {"n": 1}
            refusing = False
            await (await service.socket()).accept()
            assert (await former.closed())[0] == 1000


async def test_a_node_that_ends_during_a_move_is_handled_as_a_loss() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        async with running(toolkit):
            former = await serve(toolkit, service)
            await former.notify("reconnect", {"withinMs": 3_600_000})
            await former.invoke("inv_1", "echo")
            assert (await former.next())["id"] == "inv_1"
            await former.connection.close(1001)
            socket = await service.socket()
            await socket.accept()
            await socket.invoke("inv_2", "echo")
            assert (await socket.next())["id"] == "inv_2"
            assert service.sockets.empty()
            # The earlier move is over: this is a new move.
            await socket.notify("reconnect", {"withinMs": 0})
            await (await service.socket()).accept()


async def test_a_toolkit_that_stops_does_not_move() -> None:
    async with served() as (socket, toolkit, gate, service, run):
        await socket.invoke("inv_1", "gate")
        stop = asyncio.create_task(toolkit.stop())
        drain = await socket.next()
        assert drain["method"] == "drain"
        await socket.answer(drain)
        await socket.notify("reconnect", {"withinMs": 0})
        gate.set()
        code, frames = await socket.closed()
        await stop
        await run
    assert code == 1000
    assert frames[0]["result"] == "passed"
    assert service.sockets.empty()


# The end


async def test_stop_waits_for_handlers_and_their_confirmation() -> None:
    async with wire_service() as service:
        toolkit, gate = toolkit_of(service)
        async with running(toolkit) as run:
            socket = await serve(toolkit, service)
            await socket.invoke("inv_1", "gate")
            stop = asyncio.create_task(toolkit.stop())
            await socket.answer(await socket.next())
            gate.set()
            assert (await socket.next())["id"] == "inv_1"
            beat = await socket.next()
            assert beat["method"] == "heartbeat"
            assert not stop.done()
            await socket.answer(beat)
            assert (await socket.closed())[0] == 1000
            await stop
            await run
        await toolkit.run()
        await toolkit.stop()
        assert (await toolkit.ready()).toolkit.id == "wire"


async def test_stop_drains_again_after_a_loss() -> None:
    async with served() as (socket, toolkit, gate, service, run):
        await socket.invoke("inv_1", "gate")
        stop = asyncio.create_task(toolkit.stop())
        assert (await socket.next())["method"] == "drain"
        socket.cut()
        socket = await service.socket()
        await socket.accept(awaiting=["inv_1"])
        drain = await socket.next()
        assert drain["method"] == "drain"
        await socket.answer(drain)
        gate.set()
        code, frames = await socket.closed()
        await stop
        await run
    assert code == 1000
    assert frames[0]["params"] == {"invocationId": "inv_1", "result": "passed"}


async def test_stop_ends_with_its_connection_when_no_result_is_awaited() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        async with running(toolkit) as run:
            socket = await serve(toolkit, service)
            stop = asyncio.create_task(toolkit.stop())
            assert (await socket.next())["method"] == "drain"
            socket.cut()
            await stop
            await run
        assert service.sockets.empty()


async def test_stop_with_a_timeout_abandons_handlers_that_do_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutdown, "_GIVE_UP_TIME", 0.1)
    release = threading.Event()
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service, concurrency=2)
        toolkit.action(action="block", action_description="Blocks")(lambda ctx: release.wait(30))
        async with running(toolkit) as run:
            socket = await serve(toolkit, service)
            for invocation_id, action in (("inv_1", "wait"), ("inv_2", "block"), ("inv_3", "gate"), ("inv_4", "gate")):
                await socket.invoke(invocation_id, action)
            await socket.invoke("inv_5", "echo")
            stop = asyncio.create_task(toolkit.stop(timeout=0.1))
            _, frames = await socket.closed()
            await stop
            await run
        release.set()
    answers = {frame["id"]: frame for frame in frames if "method" not in frame}
    assert answers["inv_1"]["result"] == "stopped"
    assert answers["inv_2"]["error"]["code"] == -32001
    assert answers["inv_3"]["error"]["data"]["code"] in ("OUTCOME_UNKNOWN", "TOOLKIT_STOPPED")
    assert answers["inv_5"]["error"]["data"]["code"] == "TOOLKIT_STOPPED"


async def test_stop_ends_although_results_are_never_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutdown, "_DELIVERY_TIME", 0.2)
    async with served() as (socket, toolkit, _, _, run):
        await socket.invoke("inv_1", "echo")
        assert (await socket.next())["id"] == "inv_1"
        await toolkit.stop()
        await run


async def test_a_handler_has_more_time_than_the_delivery_of_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutdown, "_DELIVERY_TIME", 0.05)
    async with served() as (socket, toolkit, gate, _, run):
        await socket.invoke("inv_1", "gate")
        stop = asyncio.create_task(toolkit.stop())
        await socket.answer(await socket.next())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await asyncio.shield(run)
        gate.set()
        assert (await socket.next())["result"] == "passed"
        await socket.closed()
        await stop


async def test_stop_during_the_wait_for_a_connection() -> None:
    async with wire_service() as service:
        url = service.url
    statuses: list[ToolkitStatus] = []
    toolkit = Toolkit(KEY, base_url=url, on_status=statuses.append)
    async with running(toolkit) as run:
        await until(lambda: any(isinstance(status, Disconnected) for status in statuses))
        await toolkit.stop()
        await run
        with pytest.raises(SvcError, match="The toolkit was stopped"):
            await toolkit.ready()
    assert statuses[-1] == Stopped()


async def test_stop_before_run_does_nothing() -> None:
    await Toolkit(KEY).stop()


async def test_a_cancelled_run_ends_its_handlers_and_the_connection() -> None:
    ended = asyncio.Event()
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)

        @toolkit.action(action="forever", action_description="Never ends")
        async def forever(ctx: ActionContext) -> None:
            try:
                await asyncio.sleep(3600)
            finally:
                ended.set()

        async with running(toolkit) as run:
            socket = await serve(toolkit, service)
            await socket.invoke("inv_1", "forever")
            await socket.invoke("inv_2", "echo")
            assert (await socket.next())["id"] == "inv_2"
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run
            async with asyncio.timeout(PATIENCE):
                await ended.wait()
                await socket.connection.wait_closed()
            assert socket.connection.close_code == 1000


async def test_a_run_that_is_cancelled_when_its_connection_opens_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def open_and_cancel(*given: Any) -> SocketConnection:
        connection = await open_connection(*given)
        run.cancel()
        return connection

    monkeypatch.setattr("svc.toolkit.service_link.open_connection", open_and_cancel)
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        async with running(toolkit) as run:
            assert await (await service.socket()).closed() == (1000, [])
            with pytest.raises(asyncio.CancelledError):
                await run


@pytest.mark.parametrize("cancels", [0, 1, 2, 3])
async def test_a_program_that_ends_with_a_running_toolkit_closes_the_connection(
    cancels: int, caplog: pytest.LogCaptureFixture
) -> None:
    async def program() -> None:
        toolkit, _ = toolkit_of(service)
        run = asyncio.create_task(toolkit.run())
        await toolkit.ready()
        for _ in range(cancels):
            run.cancel()
            await asyncio.sleep(0)

    async with wire_service() as service:
        ending = asyncio.create_task(asyncio.to_thread(asyncio.run, program()))
        socket = await service.socket()
        await socket.accept()
        assert await socket.closed() == (1000, [])
        await ending
    assert caplog.records == []


@pytest.mark.parametrize("turns", range(6))
async def test_a_connection_that_fails_while_its_run_is_cancelled_leaves_no_error(turns: int) -> None:
    problems: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: problems.append(context))
    failing: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    link = ServiceLink("ws://127.0.0.1:9", KEY, cast(Any, None))
    waiting = asyncio.create_task(link._unless_closing(failing))
    await asyncio.sleep(0.01)
    failing.set_exception(ConnectError(Fault(SvcError("SERVICE_UNREACHABLE", "No server is there"))))
    for _ in range(turns):
        await asyncio.sleep(0)
    waiting.cancel()
    # Not `pytest.raises`, which keeps the error and its task alive.
    with suppress(asyncio.CancelledError, ConnectError):
        await waiting
    del failing, waiting
    await asyncio.sleep(0.01)
    gc.collect()
    assert problems == []


async def test_a_connection_without_a_registration_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svc.toolkit.socket_connection._OPEN_TIME", 0.2)
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        async with running(toolkit):
            assert (await (await service.socket()).next())["method"] == "register"
            await (await service.socket()).accept()
            await toolkit.ready()


def test_a_toolkit_runs_in_the_loop_of_asyncio_run() -> None:
    toolkit = Toolkit(KEY, base_url="http://127.0.0.1:9")

    async def main() -> None:
        run = asyncio.create_task(toolkit.run())
        await asyncio.sleep(0)
        await toolkit.stop()
        await run

    asyncio.run(main())


async def test_set_actions_replaces_all_actions_at_once_or_none() -> None:
    async with wire_service() as service:
        toolkit, _ = toolkit_of(service)
        async with running(toolkit):
            socket = await service.socket()
            await socket.accept()
            one: ActionWithHandler = {"action": "one", "action_description": "The one", "handler": lambda ctx: 1}
            with pytest.raises(SvcError, match='There is an action "one" already'):
                toolkit.set_actions([one, one])
            toolkit.set_actions([one])
            registration = await socket.next()
            assert [each["action"] for each in registration["params"]["actions"]] == ["one"]
            assert not toolkit.remove_action("echo")


# Connections

BEARER = {"type": "bearer", "token": "tok-1"}


@asynccontextmanager
async def connected(handler: Any) -> AsyncIterator[tuple[WireSocket, WireService]]:
    """A serving toolkit whose action ``do`` needs a connection."""
    async with wire_service() as service:
        toolkit = Toolkit(KEY, base_url=service.url)
        await toolkit.update_toolkit(auth={"type": "bearer", "from": "caller"})
        toolkit.action(action="do", action_description="Does it")(handler)
        async with running(toolkit):
            yield await serve(toolkit, service), service


async def test_refusals_side_by_side_share_one_request() -> None:
    async def refuse_twice(ctx: ActionContext) -> Any:
        assert ctx.connection
        await asyncio.gather(ctx.connection.refused(), ctx.connection.refused())
        before = ctx.connection.token
        await ctx.connection.refused()
        return [before, ctx.connection.token]

    async with connected(refuse_twice) as (socket, _):
        await socket.invoke("inv_1", "do", connection=BEARER)
        for token in ("tok-2", "tok-3"):
            asked = await socket.next()
            assert (asked["method"], asked["params"]) == ("connection", {"invocationId": "inv_1"})
            await socket.answer(asked, {"connection": {**BEARER, "token": token}})
        assert (await socket.next())["result"] == ["tok-2", "tok-3"]


async def test_a_cancelled_refusal_leaves_the_others_their_answer() -> None:
    async def refuse(ctx: ActionContext) -> Any:
        assert ctx.connection
        first, second = (asyncio.create_task(ctx.connection.refused()) for _ in range(2))
        asked.set()
        await may_go_on.wait()
        first.cancel()
        await second
        return [first.cancelled(), ctx.connection.token]

    asked, may_go_on = asyncio.Event(), asyncio.Event()
    async with connected(refuse) as (socket, _):
        await socket.invoke("inv_1", "do", connection=BEARER)
        request = await socket.next()
        may_go_on.set()
        await socket.answer(request, {"connection": {**BEARER, "token": "tok-2"}})
        assert (await socket.next())["result"] == [True, "tok-2"]


async def test_a_plain_handler_waits_for_another_connection() -> None:
    def refuse(ctx: ActionContext) -> Any:
        assert ctx.connection
        run_blocking(ctx.connection.refused())
        return ctx.connection.headers()

    async with connected(refuse) as (socket, _):
        await socket.invoke("inv_1", "do", connection=BEARER)
        await socket.answer(await socket.next(), {"connection": {**BEARER, "token": "tok-2"}})
        assert (await socket.next())["result"] == {"Authorization": "Bearer tok-2"}


async def test_a_refusal_without_a_socket_fails_at_once() -> None:
    async def refuse(ctx: ActionContext) -> Any:
        assert ctx.connection
        await is_cut.wait()
        try:
            await ctx.connection.refused()
        except SvcError as error:
            return [error.code, error.retryable]

    is_cut = asyncio.Event()
    async with connected(refuse) as (socket, service):
        await socket.invoke("inv_1", "do", connection=BEARER)
        socket.cut()
        again = await service.socket()
        is_cut.set()
        frame = await again.next()
        await again.answer(frame, {**REGISTERED, "awaiting": ["inv_1"]})
        assert (await again.next())["params"] == {"invocationId": "inv_1", "result": ["CONNECTION_CLOSED", True]}


async def test_a_provider_that_is_down_fails_the_call_with_its_own_code() -> None:
    async def refuse(ctx: ActionContext) -> Any:
        assert ctx.connection
        await ctx.connection.refused()

    async with connected(refuse) as (socket, _):
        await socket.invoke("inv_1", "do", connection=BEARER)
        await socket.refuse(await socket.next(), "github.com is down", code="SERVICE_UNAVAILABLE", retryable=True)
        assert (await socket.next())["error"]["data"]["code"] == "SERVICE_UNAVAILABLE"


async def test_an_ended_call_has_no_connection() -> None:
    kept: list[ActionContext] = []
    async with connected(lambda ctx: kept.append(ctx)) as (socket, _):
        await socket.invoke("inv_1", "do", connection=BEARER)
        assert (await socket.next())["result"] is None
    assert kept[0].connection is None
