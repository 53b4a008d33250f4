"""The official Python client in each of its modes, and the TypeScript clients, with ``svc-tools-mcp``."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.subscriptions import ToolsListChanged

from svc.testing import LocalService
from tests.support.mcp_process import MCP_COMMAND
from tests.support.mcp_stage import McpStage, mcp_stage
from tests.support.repository import NODE, REPOSITORY
from tests.support.waiting import PATIENCE, until

MODES = {"legacy": "2025-11-25", "2026-07-28": "2026-07-28", "auto": "2026-07-28"}
ROME = {"city": "Rome", "celsius": 21}


@asynccontextmanager
async def connected(stage: McpStage, mode: str, variables: dict[str, str], **options: Any) -> AsyncIterator[Client]:
    program, *arguments = MCP_COMMAND
    server = StdioServerParameters(command=program, args=arguments, env={**stage.environment, **variables})
    async with Client(server, mode=mode, cache=None, **options) as client:
        assert client.protocol_version == MODES[mode]
        yield client


@pytest.mark.parametrize("mode", MODES)
async def test_the_official_client_finds_and_runs_actions(service: LocalService, mode: str) -> None:
    name = f"mcp-{mode}"
    async with mcp_stage(service, name) as stage, connected(stage, mode, {}) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["search_services", "invoke_service"]
        found = await client.call_tool("search_services", {"query": f"{name}__today"})
        assert found.structured_content
        assert found.structured_content["actions"][0]["action"] == f"{name}__today"

        async def invoke(action: str, payload: Any = None, **options: Any) -> Any:
            arguments = {"action": f"{name}__{action}", "payload": payload or {}}
            result = await client.call_tool("invoke_service", arguments, **options)
            return result.model_dump(by_alias=True, exclude_none=True)

        assert (await invoke("today", {"city": "Rome"}))["structuredContent"] == ROME
        failed = await invoke("today", {"city": "Atlantis"})
        assert (failed["isError"], failed["structuredContent"]["error"]["code"]) == (True, "ACTION_FAILED")
        drawn = await invoke("draw")
        assert [block["type"] for block in drawn["content"]] == ["text", "image"]
        assert "structuredContent" not in drawn
        sold = await invoke("sell")
        assert sold["_meta"]["svc-sdk/payment"] == {"authorised": "0.05", "charged": "0.03", "currency": "USD"}
        assert sold["structuredContent"] == {"sold": True}

        reports: list[tuple[float, float | None]] = []

        async def keep(progress: float, total: float | None, message: str | None) -> None:
            reports.append((progress, total))

        assert (await invoke("report", progress_callback=keep))["content"] == [{"type": "text", "text": "reported"}]
        await until(lambda: len(reports) == 2)
        assert reports == [(1, 2), (2, 2)]

        with pytest.raises(
            MCPError, match=r'There is no tool "nothing" here\. Find actions with search_services'
        ) as no:
            await client.call_tool("nothing", {})
        assert no.value.error.code == -32602


@pytest.mark.parametrize("mode", MODES)
async def test_static_actions_have_their_schemas_annotations_and_prices(service: LocalService, mode: str) -> None:
    name = f"static-{mode}"
    variables = {"SVC_DYNAMIC_TOOLS": "no", "SVC_STATIC_TOOLKITS": f" {name},, "}
    async with mcp_stage(service, name) as stage, connected(stage, mode, variables) as client:
        listed = {
            tool.name.removeprefix(f"{name}__"): tool.model_dump(by_alias=True, exclude_none=True)
            for tool in (await client.list_tools()).tools
        }
        assert list(listed) == ["anything", "count", "draw", "report", "sell", "today", "wait"]
        assert listed["today"]["annotations"] == {"readOnlyHint": True}
        assert "annotations" not in listed["report"]
        assert listed["anything"]["inputSchema"]["properties"] == {"any": {}, "none": {"not": {}}}
        assert listed["sell"]["_meta"] == {"svc-sdk/payment": {"amount": "0.05", "currency": "USD"}}
        answer = await client.call_tool(f"{name}__today", {"city": "Rome"})
        assert answer.structured_content == ROME
        with pytest.raises(MCPError, match="List the tools to see which ones exist"):
            await client.call_tool("invoke_service", {})


@pytest.mark.parametrize("mode", MODES)
async def test_a_call_that_the_client_cancels_is_cancelled_at_the_handler(service: LocalService, mode: str) -> None:
    name = f"wait-{mode}"
    async with mcp_stage(service, name) as stage, connected(stage, mode, {}) as client:
        call = asyncio.create_task(client.call_tool("invoke_service", {"action": f"{name}__wait", "payload": {}}))
        async with asyncio.timeout(PATIENCE):
            assert await stage.events.get() == "began"
            call.cancel()
            assert await stage.events.get() == "cancelled"
        assert len((await client.list_tools()).tools) == 2


@pytest.mark.parametrize("mode", MODES)
async def test_missing_tools_are_explained_and_available_when_they_exist(service: LocalService, mode: str) -> None:
    name = f"late-{mode}"
    changes: list[Any] = []

    async def keep(message: Any) -> None:
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            changes.append(message)

    async def listen(client: Client) -> None:
        async with client.listen(tools_list_changed=True) as events:
            listening.set()
            async for event in events:
                if isinstance(event, ToolsListChanged):
                    changes.append(event)

    variables = {"SVC_STATIC_ACTIONS": f"{name}__tomorrow"}
    listening = asyncio.Event()
    async with mcp_stage(service, name) as stage, connected(stage, mode, variables, message_handler=keep) as client:
        listener = None
        if mode != "legacy":
            listener = asyncio.create_task(listen(client))
            await listening.wait()
        (*_, missing) = (await client.list_tools()).tools
        assert missing.name == "missing_tools"
        assert f'(ACTION_NOT_FOUND: There is no action "{name}__tomorrow"' in (missing.description or "")
        assert (await client.call_tool("missing_tools", {})).is_error
        assert changes == []

        stage.toolkit.action(action="tomorrow", action_description="Weather of tomorrow")(lambda ctx: "rain")
        async with asyncio.timeout(PATIENCE):
            while (answer := await client.call_tool("missing_tools", {})).is_error:
                await asyncio.sleep(0.02)
        assert f"They can be used again: {name}__tomorrow" in answer.model_dump_json()
        await until(lambda: changes)
        assert (await client.list_tools()).tools[-1].name == f"{name}__tomorrow"
        if listener is not None:
            listener.cancel()


def test_the_clients_and_the_tests_of_typescript() -> None:
    """Revisions, errors, the end, bad input: the requirements of test/command/mcp-stdio.test.ts, and the vectors.

    The Inspector is left out: it is slow, and its client is the official SDK.
    """
    environment = {**os.environ, "MCP_TEST_COMMAND": " ".join(MCP_COMMAND)}
    vitest = [NODE, str(REPOSITORY / "node_modules" / "vitest" / "vitest.mjs"), "run"]
    chosen = ["--project=full", "--testNamePattern=^(?!.*Inspector)", "test/command/mcp-stdio.test.ts"]
    chosen += ["test/command/mcp-vectors.test.ts", "test/command/mcp-accounts.test.ts"]
    run = subprocess.run(
        [*vitest, "--no-color", *chosen],
        cwd=REPOSITORY,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
