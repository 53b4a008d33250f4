"""Calls that run for long, over MCP: tasks for clients that have them, and a handle for the model of any other client.
On the real service.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from svc import ActionContext, Toolkit, Tools
from svc.mcp.environment import ToolSelection
from svc.mcp.held_call import HeldCall
from svc.testing import LocalService
from tests.support.keys import admin_request, create_key
from tests.support.mcp_in_process import McpInProcess
from tests.support.running import serving
from tests.support.waiting import PATIENCE, until

TASKS: dict[str, Any] = {"extensions": {"io.modelcontextprotocol/tasks": {}}}


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svc.mcp.answer_call._TASK", 0.2)
    monkeypatch.setattr("svc.mcp.answer_call.SILENT", 1)


@dataclass
class Film:
    """A call that runs until the test ends it."""

    ctx: ActionContext
    end: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Films:
    name: str
    tools: Tools
    films: list[Film] = field(default_factory=list)

    def client(self, capabilities: dict[str, Any] | None, **selection: Any) -> McpInProcess:
        return McpInProcess(self.tools, capabilities, ToolSelection(**selection))

    @property
    def render(self) -> dict[str, Any]:
        return {"name": "invoke_service", "arguments": {"action": f"{self.name}__render", "payload": {}}}

    async def started(self) -> Film:
        await until(lambda: self.films)
        return self.films[-1]


@asynccontextmanager
async def start_films(service: LocalService, name: str, **key: Any) -> AsyncIterator[Films]:
    toolkit = Toolkit(create_key(service, "toolkit", name), base_url=service.url)
    tools = Tools(create_key(service, "agent", name, **key), base_url=service.url)
    films = Films(name, tools)
    result = {"type": "object", "properties": {"minutes": {"type": "number"}}, "required": ["minutes"]}

    @toolkit.action(action="render", action_description="Renders a film", result_description=result, long=True)
    async def render(ctx: ActionContext) -> dict[str, int]:
        film = Film(ctx)
        films.films.append(film)
        async with ctx.cancelled.scope():
            await film.end.wait()
        return {"minutes": 90}

    @toolkit.action(action="list", action_description="Lists the films")
    def list_films(ctx: ActionContext) -> dict[str, int]:
        return {"films": len(films.films)}

    async with serving(toolkit), tools:
        yield films


async def look_until(client: McpInProcess, task_id: str, status: str, **members: Any) -> dict[str, Any]:
    """The task with this status, and with these members."""
    async with asyncio.timeout(PATIENCE):
        while True:
            task: dict[str, Any] = (await client.request("tasks/get", {"taskId": task_id}))["result"]
            if task["status"] == status and members.items() <= task.items():
                return task
            await asyncio.sleep(0.05)


async def test_a_long_call_is_a_task_which_is_polled_until_it_has_the_result(service: LocalService) -> None:
    async with start_films(service, "task-films") as films:
        client = films.client(TASKS)
        discovered = (await client.request("server/discover", {}))["result"]
        assert discovered["capabilities"]["extensions"] == TASKS["extensions"]
        created = (await client.request("tools/call", films.render))["result"]
        assert (created["resultType"], created["status"]) == ("task", "working")
        assert (created["ttlMs"], created["pollIntervalMs"]) == (86_400_000, 2_000)
        assert datetime.now(UTC) - datetime.fromisoformat(created["createdAt"]) < timedelta(minutes=10)
        task_id = created["taskId"]
        assert task_id.startswith("inv_")
        film = await films.started()
        film.ctx.progress(3, total=10, message="cutting")
        await look_until(client, task_id, "working", statusMessage="3 of 10: cutting")
        film.end.set()
        done = await look_until(client, task_id, "completed", taskId=task_id)
        assert done["result"]["structuredContent"] == {"minutes": 90}
    assert len(films.films) == 1


async def test_a_call_that_is_not_long_or_ends_in_time_is_answered_as_ever(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svc.mcp.answer_call._TASK", 20)
    async with start_films(service, "short-films") as films:
        client = films.client(TASKS)
        listing = {"name": "invoke_service", "arguments": {"action": "short-films__list"}}
        assert (await client.request("tools/call", listing))["result"]["resultType"] == "complete"
        call = asyncio.create_task(client.request("tools/call", films.render))
        (await films.started()).end.set()
        result = (await call)["result"]
        assert (result["resultType"], result["structuredContent"]) == ("complete", {"minutes": 90})


async def test_a_task_that_its_client_cancels_cancels_the_handler(service: LocalService) -> None:
    async with start_films(service, "cancelled-films") as films:
        client = films.client(TASKS)
        task_id = (await client.request("tools/call", films.render))["result"]["taskId"]
        film = await films.started()
        assert (await client.request("tasks/cancel", {"taskId": task_id}))["result"]["resultType"] == "complete"
        async with asyncio.timeout(PATIENCE):
            await film.ctx.cancelled.wait()
        await look_until(client, task_id, "cancelled")


async def test_the_result_of_a_static_tool_has_the_shape_of_its_output_schema(service: LocalService) -> None:
    async with start_films(service, "static-films") as films:
        client = films.client(TASKS, static_actions=("static-films__render",))
        created = await client.request("tools/call", {"name": "static-films__render", "arguments": {}})
        task_id = created["result"]["taskId"]
        assert task_id.endswith("/static-films__render")
        (await films.started()).end.set()
        done = await look_until(client, task_id, "completed")
        assert done["result"]["structuredContent"] == {"minutes": 90}


async def test_a_task_of_another_key_and_one_that_is_unknown_is_not_found(service: LocalService) -> None:
    async with start_films(service, "other-films") as films:
        task_id = (await films.client(TASKS).request("tools/call", films.render))["result"]["taskId"]
        tools = Tools(create_key(service, "agent", "other"), base_url=service.url)
        other = McpInProcess(tools, TASKS)
        for unknown in (task_id, "inv_unknown", "", f"{task_id}/other-films__render", 7):
            for method in ("tasks/get", "tasks/cancel"):
                assert (await other.request(method, {"taskId": unknown}))["error"]["code"] == -32602
        await tools.aclose()
        film = await films.started()
        assert not film.ctx.cancelled
        film.end.set()


async def test_a_call_that_waits_for_a_person_is_a_task_that_runs_once_when_it_is_approved(
    service: LocalService,
) -> None:
    async with start_films(service, "asked-films", rules=[{"match": {}, "do": "ask"}]) as films:
        client = films.client({**TASKS, "elicitation": {"url": {}}})
        task_id = (await client.request("tools/call", films.render))["result"]["taskId"]
        assert task_id.startswith("apr_")
        asked = await look_until(client, task_id, "input_required")
        assert f"/approvals/{task_id}" in asked["inputRequests"]["approve"]["params"]["url"]
        update = {"taskId": task_id, "inputResponses": {"approve": {"action": "accept"}}}
        assert (await client.request("tasks/update", update))["result"]["resultType"] == "complete"
        assert films.films == []
        admin_request(service, "POST", f"/v1/approvals/{task_id}", {"decision": "approve"})
        (await films.started()).end.set()
        done = await look_until(client, task_id, "completed")
        assert done["result"]["structuredContent"] == {"minutes": 90}
    assert len(films.films) == 1


@pytest.mark.parametrize("capabilities", [None, {}], ids=["handshake", "stateless"])
async def test_the_model_of_a_client_without_tasks_reads_the_handle(
    service: LocalService, capabilities: dict[str, Any] | None
) -> None:
    name = f"handle-films-{'old' if capabilities is None else 'new'}"
    async with start_films(service, name) as films:
        client = films.client(capabilities)
        if capabilities is None:
            about = await client.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": TASKS})
            assert "extensions" not in about["result"]["capabilities"]
        unfinished = (await client.request("tools/call", films.render))["result"]["structuredContent"]
        assert unfinished["status"] == "running"
        (await films.started()).end.set()
        payload = {"handle": unfinished["handle"], "wait": 30}
        read = {"name": "invoke_service", "arguments": {"action": "svc__read_result", "payload": payload}}
        assert (await client.request("tools/call", read))["result"]["structuredContent"] == {"minutes": 90}


async def test_a_call_with_a_handle_is_followed_while_it_is_held(service: LocalService) -> None:
    async with start_films(service, "held-films") as films:
        reports: list[Any] = []
        call = HeldCall(
            films.tools,
            "invoke_service",
            films.render["arguments"],
            idempotency_key="held-films",
            wait=0,
            on_progress=reports.append,
        )
        answering = asyncio.create_task(call.answer(PATIENCE))
        film = await films.started()
        film.ctx.progress(1, message="cutting")
        await until(lambda: reports)
        film.end.set()
        assert (await answering).result == {"minutes": 90}
    assert reports[0]["message"] == "cutting"
    assert len(films.films) == 1
