"""``Tools`` and ``Toolkit`` with the real service between them."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from svc import ActionContext, SvcError, Toolkit, Tools
from svc.testing import LocalService, start_service
from svc.toolkit import Connected, Disconnected, ToolkitStatus
from tests.support.keys import create_key
from tests.support.repository import COMMAND
from tests.support.running import serving
from tests.support.waiting import PATIENCE, until


@dataclass
class City:
    """A payload."""

    city: Annotated[str, "Name of the city"]
    days: int = 1


@asynccontextmanager
async def both(
    service: LocalService, name: str, toolkit: Toolkit | None = None, **options: Any
) -> AsyncIterator[tuple[Toolkit, Tools]]:
    """A registered toolkit, and an agent."""
    toolkit = toolkit or Toolkit(create_key(service, "toolkit", name), base_url=service.url)
    agent = create_key(service, "agent", "agent", budget=True)

    @toolkit.action(
        action="forecast",
        action_description="Forecast of the weather for a city, in degrees Celsius",
        payload_description=City,
        annotations={"readOnly": True},
    )
    async def forecast(ctx: ActionContext, wish: City) -> Any:
        ctx.progress(1, total=2, message="half")
        return ctx.Result({"city": wish.city, "days": wish.days, "key": ctx.idempotency_key})

    @toolkit.action(action="size", action_description="Measures a text")
    def size(ctx: ActionContext, payload: dict[str, str]) -> int:
        return len(payload["text"])

    @toolkit.action(action="wait", action_description="Waits until it should stop")
    async def wait(ctx: ActionContext) -> None:
        reasons.put_nowait("began")
        await ctx.cancelled.wait()
        reasons.put_nowait(str(ctx.cancelled.reason))

    @toolkit.action(action="sell", action_description="Sells a report", payment={"amount": "0.05"})
    def sell(ctx: ActionContext) -> Any:
        ctx.charge("0.03")
        ctx.image(b"\x89PNG\r\n\x1a\n", "image/png")
        return ctx.payment

    reasons: asyncio.Queue[str] = asyncio.Queue()
    toolkit.reasons = reasons  # type: ignore[attr-defined]
    async with serving(toolkit), Tools(agent, base_url=service.url, **options) as tools:
        yield toolkit, tools


async def test_a_model_finds_and_runs_an_action(service: LocalService) -> None:
    async with both(service, "weather") as (toolkit, tools):
        await toolkit.update_toolkit(name="Weather", description="Weather of many cities")
        progress: list[Any] = []
        arguments = [
            ("search_services", {"query": "weather forecast for a city"}),
            ("invoke_service", {"action": "weather__forecast", "payload": {"city": "Rome", "days": "2"}}),
            ("weather__forecast", {"town": "Rome"}),
            ("invoke_service", {"action": "weather__forecats"}),
        ]
        calls = [
            {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(each)}}
            for number, (name, each) in enumerate(arguments)
        ]
        contents = [
            json.loads(message["content"])
            for message in await tools.call_tools(calls, on_progress=lambda *given: progress.append(given))
        ]
        assert contents[0]["actions"][0]["action"] == "weather__forecast"
        assert contents[0]["actions"][0]["payloadSchema"]["required"] == ["city"]
        assert {**contents[1]["result"], "key": ""} == {"city": "Rome", "days": 2, "key": ""}
        assert "days" in contents[1]["note"]
        assert contents[2]["error"]["issues"][0]["path"] == "/city"
        assert contents[3]["error"]["didYouMean"] == ["weather__forecast"]
        assert progress == [({"progress": 1, "total": 2, "message": "half"}, "call_1")]

        static = await tools.get_tools(dynamic_tools=False, static_toolkits=["weather"])
        names = [tool["function"]["name"] for tool in static]
        assert names == ["weather__forecast", "weather__sell", "weather__size", "weather__wait"]
        resolved = await tools.resolve("weather__forecast", {"city": "Rome"})
        assert resolved["action"]["annotations"] == {"readOnly": True}
        assert resolved["payload"] == {"city": "Rome"}


async def test_one_call_runs_once_and_a_paid_one_is_charged_once(service: LocalService) -> None:
    async with both(service, "shop", session_id="chat/1", user_id="ada") as (_, tools):
        first = await tools.invoke("shop__sell", idempotency_key="order-1", max_payment="0.05")
        again = await tools.invoke("shop__sell", idempotency_key="order-1")
        assert first["payment"] == {"authorised": "0.05", "charged": "0.03", "currency": "USD"}
        assert first["result"] == {"amount": "0.05", "currency": "USD"}
        assert first["content"][0]["mimeType"] == "image/png"
        assert again == {**first, "replayed": True}
        forecast = await tools.invoke("shop__forecast", {"city": "Rome"}, idempotency_key="order-2")
        assert forecast["result"]["key"] == "order-2"
        with pytest.raises(SvcError, match=r"0\.05") as refused:
            await tools.invoke("shop__sell", max_payment="0.04")
        assert refused.value.code == "PAYMENT_REQUIRED"
        assert refused.value.details["payment"]["price"] == "0.05"


async def test_a_disconnected_caller_and_a_deadline_cancel_the_handler(service: LocalService) -> None:
    async with both(service, "slow") as (toolkit, tools):
        reasons: asyncio.Queue[str] = toolkit.reasons  # type: ignore[attr-defined]
        call = asyncio.create_task(tools.invoke("slow__wait"))
        async with asyncio.timeout(PATIENCE):
            assert await reasons.get() == "began"
            call.cancel()
            assert await reasons.get() == "cancelled"
        with pytest.raises(SvcError) as failed:
            await tools.invoke("slow__wait", timeout=0.3)
        assert failed.value.code == "INVOCATION_TIMEOUT"
        assert failed.value.details["invocationId"].startswith("inv_")
        async with asyncio.timeout(PATIENCE):
            assert [await reasons.get(), await reasons.get()] == ["began", "timeout"]


async def test_a_handler_that_blocks_for_longer_than_a_heartbeat_keeps_its_connection(service: LocalService) -> None:
    statuses: list[ToolkitStatus] = []
    key = create_key(service, "toolkit", "blocking")
    toolkit = Toolkit(key, base_url=service.url, on_status=statuses.append)

    @toolkit.action(action="block", action_description="Blocks its thread")
    def block(ctx: ActionContext) -> str:
        # The service drops a connection that is silent for 2.5 heartbeats.
        time.sleep(3.5)
        return "done"

    async with both(service, "", toolkit) as (_, tools):
        slow = asyncio.create_task(tools.invoke("blocking__block"))
        assert (await tools.invoke("blocking__size", {"text": "abc"}))["result"] == 3
        assert (await slow)["result"] == "done"
    assert [status.state for status in statuses] == ["connecting", "connected", "stopped"]


async def test_large_payloads_and_results_pass(service: LocalService) -> None:
    limits = [f"{name}={8 * 1024 * 1024}" for name in ("payloadBytes", "resultBytes", "requestBodyBytes")]
    options = [part for limit in limits for part in ("--limit", limit)]
    with start_service(COMMAND, [*options, "--limit", f"frameBytes={16 * 1024 * 1024}"]) as large:
        toolkit = Toolkit(create_key(large, "toolkit", "large"), base_url=large.url)
        toolkit.action(action="double", action_description="Doubles")(lambda ctx, payload: payload["text"] * 2)
        async with both(large, "", toolkit) as (_, tools):
            size = 4 * 1024 * 1024 - 1_000
            assert (await tools.invoke("large__size", {"text": "x" * (2 * size)}))["result"] == 2 * size
            result = (await tools.invoke("large__double", {"text": "é" * (size // 2)}))["result"]
            assert len(result) == 2 * (size // 2)
            note = await tools.call_tool("large__double", {"text": "x" * size})
            assert "svc__read_result" in note


async def test_a_service_that_is_killed_finds_its_toolkit_and_the_result_again() -> None:
    with start_service(COMMAND, ["--log-level", "silent"]) as service:
        statuses: list[ToolkitStatus] = []
        gate = threading.Event()
        runs: list[str] = []
        key = create_key(service, "toolkit", "kept")
        toolkit = Toolkit(key, base_url=service.url, on_status=statuses.append)

        @toolkit.action(action="gate", action_description="Waits")
        def wait_for_gate(ctx: ActionContext) -> str:
            runs.append(ctx.idempotency_key)
            gate.wait(60)
            return "passed"

        async with both(service, "", toolkit) as (_, tools):
            call = asyncio.create_task(tools.invoke("kept__gate", idempotency_key="order-1"))
            await until(lambda: runs)
            await asyncio.to_thread(service.kill)
            await until(lambda: isinstance(statuses[-1], Disconnected))
            gate.set()
            with pytest.raises(SvcError):
                await call
            await asyncio.to_thread(service.start)
            await until(lambda: isinstance(statuses[-1], Connected))
            kept = await tools.invoke("kept__gate", idempotency_key="order-1")
            assert (kept["result"], kept["replayed"]) == ("passed", True)
            assert runs == ["order-1"]


async def test_the_error_for_a_wrong_key_names_the_needed_kind(service: LocalService) -> None:
    agent = create_key(service, "agent", "agent")
    unknown = agent[:-1] + ("0" if agent[-1] != "0" else "1")
    async with Tools(unknown, base_url=service.url) as tools:
        with pytest.raises(SvcError, match=r"key") as refused:
            await tools.search("x")
    assert refused.value.code == "INVALID_KEY"
    toolkit = Toolkit(unknown.replace("agent", "toolkit"), base_url=service.url)
    with pytest.raises(SvcError) as refused:
        await toolkit.run()
    assert refused.value.code == "INVALID_KEY"
    with pytest.raises(SvcError):
        await toolkit.ready()


async def test_replicas_share_the_calls(service: LocalService) -> None:
    key = create_key(service, "toolkit", "twins")
    toolkits = [Toolkit(key, base_url=service.url, concurrency=1) for _ in range(2)]
    for number, toolkit in enumerate(toolkits):

        @toolkit.action(action="who", action_description="Names its replica")
        async def who(ctx: ActionContext, payload: Any = None, number: int = number) -> int:
            await asyncio.sleep(0.05)
            return number

    async with (
        serving(toolkits[0]),
        serving(toolkits[1]),
        Tools(create_key(service, "agent", "agent"), base_url=service.url) as tools,
    ):
        answers = await asyncio.gather(*(tools.invoke("twins__who") for _ in range(6)))
    assert {answer["result"] for answer in answers} == {0, 1}


async def test_an_update_and_a_new_action_reach_agents_while_it_runs(service: LocalService) -> None:
    async with both(service, "living") as (toolkit, tools):
        toolkit.action(action="moon", action_description="Phase of the moon")(lambda ctx: "full")

        async def invoke() -> Any:
            try:
                return (await tools.invoke("living__moon"))["result"]
            except SvcError as error:
                if error.code != "ACTION_NOT_FOUND":
                    raise
                return None

        async with asyncio.timeout(PATIENCE):
            while await invoke() != "full":
                await asyncio.sleep(0.01)


def test_the_error_of_a_command_that_does_not_start_names_the_reason() -> None:
    with pytest.raises(RuntimeError, match="There is no limit"), start_service(COMMAND, ["--limit", "nothing=1"]):
        pass
