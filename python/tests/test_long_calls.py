"""Calls that go on without their caller, on the real service."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from svc import ActionContext, SvcError, Toolkit, Tools
from svc.testing import LocalService
from tests.support.keys import create_key
from tests.support.running import serving
from tests.support.waiting import PATIENCE


class Studio:
    """A toolkit with a long action, and an agent key."""

    def __init__(self, service: LocalService, name: str) -> None:
        self._service = service
        self.action = f"{name}__render"
        self.key = create_key(service, "agent", name)
        self.started = asyncio.Event()
        self.released = asyncio.Event()
        self.cancelled = asyncio.Event()
        self.runs = 0

    def tools(self, **options: Any) -> Tools:
        return Tools(self.key, base_url=self._service.url, **options)


@asynccontextmanager
async def studio(service: LocalService, name: str) -> AsyncIterator[Studio]:
    toolkit = Toolkit(create_key(service, "toolkit", name), base_url=service.url)
    at = Studio(service, name)

    @toolkit.action(action="render", action_description="Renders a film", long=True)
    async def render(ctx: ActionContext) -> Any:
        at.runs += 1
        ctx.progress(1, 9, "frame 1")
        at.started.set()
        try:
            async with ctx.cancel_scope():
                await at.released.wait()
                return {"frames": 9}
        finally:
            if ctx.cancelled:
                at.cancelled.set()

    async with serving(toolkit), asyncio.timeout(PATIENCE):
        yield at


async def test_a_model_gets_a_handle_and_reads_the_result_later(service: LocalService) -> None:
    async with studio(service, "film") as at, at.tools(timeout=0.9) as tools:
        answer = await tools.answer_tool("invoke_service", {"action": at.action, "payload": {}})
        assert answer.unfinished is not None
        assert answer.error is None
        handle = answer.unfinished["invocationId"]
        running = json.loads(answer.content)
        assert (running["status"], running["handle"]) == ("running", handle)
        assert (
            json.dumps({"action": "svc__read_result", "payload": {"handle": handle, "wait": 30}}, separators=(",", ":"))
            in running["message"]
        )
        await at.started.wait()
        at.released.set()
        read = {"action": "svc__read_result", "payload": {"handle": handle, "wait": 30}}
        async with at.tools() as patient:
            assert (await patient.answer_tool("invoke_service", read)).value == {"frames": 9}
    assert at.runs == 1


async def test_a_program_takes_a_handle_and_asks_for_the_result(service: LocalService) -> None:
    async with studio(service, "scene") as at, at.tools() as tools:
        call = await tools.invoke(at.action, idempotency_key="scene-1", wait=False)
        assert "status" in call
        await at.started.wait()
        running = await tools.result(call["invocationId"])
        assert "status" in running
        assert running["status"] == "running"
        waiting = asyncio.create_task(tools.result(call["invocationId"], wait=60))
        at.released.set()
        ended = await waiting
        assert "result" in ended
        assert ended["result"] == {"frames": 9}
        again = await tools.invoke(at.action, idempotency_key="scene-1")
        assert (again["result"], again["replayed"], at.runs) == ({"frames": 9}, True, 1)


async def test_a_cancelled_call_ends_its_handler(service: LocalService) -> None:
    async with studio(service, "cut") as at, at.tools() as tools:
        call = await tools.invoke(at.action, wait=False)
        await at.started.wait()
        await tools.cancel(call["invocationId"])
        await at.cancelled.wait()
        with pytest.raises(SvcError) as cancelled:
            await tools.result(call["invocationId"], wait=30)
        assert cancelled.value.code == "INVOCATION_CANCELLED"
        async with Tools(create_key(service, "agent", "stranger"), base_url=service.url) as stranger:
            with pytest.raises(SvcError) as unknown:
                await stranger.result(call["invocationId"])
        assert unknown.value.code == "NOT_FOUND"


def test_long_is_true_or_false() -> None:
    with pytest.raises(SvcError, match="long is True for an action"):
        Toolkit("svc_toolkit_test").action(action="a", action_description="A", long="yes")(lambda ctx: None)  # type: ignore[call-overload]
