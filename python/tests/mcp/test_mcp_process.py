"""``svc-tools-mcp`` as a process: its answers, its log, its end."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest

from svc import __version__
from svc.mcp.help import HELP
from svc.testing import LocalService, start_service
from tests.support.mcp_process import MCP_COMMAND, STATELESS, TYPESCRIPT_MCP_COMMAND, McpProcess, mcp_process
from tests.support.mcp_stage import McpStage, mcp_stage
from tests.support.repository import COMMAND
from tests.support.waiting import PATIENCE, until

_NO_META: dict[str, Any] = {}
_NUMBERS = count(1)


async def converse(stage: McpStage, meta: dict[str, Any], variables: dict[str, str], command: Sequence[str]) -> Any:
    """All messages of a conversation, by the ids of their requests."""
    toolkit = stage.toolkit_id
    with_meta = {"_meta": meta} if meta else {}
    call = {"name": "invoke_service", **with_meta}
    requests = [
        ("ping", with_meta),
        ("tools/list", with_meta),
        ("tools/call", {**call, "arguments": {"action": f"{toolkit}__today", "payload": {"city": "Rome"}}}),
        ("tools/call", {**call, "arguments": {"action": f"{toolkit}__today", "payload": '{"city": "Rome"}'}}),
        ("tools/call", {**call, "arguments": {"action": f"{toolkit}__today", "payload": {"town": "Rome"}}}),
        ("tools/call", {**call, "arguments": {"action": f"{toolkit}__anything", "payload": {}}}),
        ("tools/call", {**call, "arguments": {"action": f"{toolkit}__draw", "payload": {}}}),
        ("tools/call", {**call, "arguments": {"action": f"{toolkit}__sell", "payload": {}}}),
        (
            "tools/call",
            {
                "name": "invoke_service",
                "arguments": {"action": f"{toolkit}__report", "payload": {}},
                "_meta": {**meta, "progressToken": "p"},
            },
        ),
        ("tools/call", {"name": f"{toolkit}__today", "arguments": {"city": "Lima"}, **with_meta}),
        ("tools/call", {"name": "search_services", **with_meta}),
        ("tools/call", {"name": "missing_tools", **with_meta}),
        ("tools/call", {"name": "nothing", **with_meta}),
        ("resources/list", with_meta),
        ("server/discover", with_meta),
        ("subscriptions/listen", with_meta),
        (
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "r", "version": "1"}},
        ),
    ]
    async with mcp_process({**stage.environment, **variables}, command=command) as mcp:
        if not meta:
            await mcp.initialize()
        for method, params in requests:
            await mcp.request(method, params)
        # A stable sort, so notifications keep their order; errors of the protocol may arrive early.
        return sorted(mcp.received, key=lambda message: message.get("id", 0))


async def test_a_client_may_send_requests_before_the_handshake() -> None:
    async with mcp_process({"SVC_AGENT_API_KEY": "none"}) as mcp:
        unknown = {**STATELESS, "io.modelcontextprotocol/protocolVersion": "2999-01-01"}
        refused = await mcp.request("server/discover", {"_meta": unknown})
        assert refused["error"]["code"] == -32022
        assert refused["error"]["data"] == {"supported": ["2026-07-28"], "requested": "2999-01-01"}
        assert "result" in await mcp.request("server/discover", {"_meta": STATELESS})
        assert (await mcp.initialize())["result"]["protocolVersion"] == "2025-11-25"
        assert len((await mcp.request("tools/list"))["result"]["tools"]) == 2


@pytest.mark.parametrize("meta", [_NO_META, STATELESS], ids=["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize(
    "variables",
    [
        _NO_META,
        {"SVC_STATIC_TOOLKITS": "TOOLKIT"},
        {"SVC_DYNAMIC_TOOLS": "Off", "SVC_STATIC_ACTIONS": "TOOLKIT__today,TOOLKIT__sell"},
        {"SVC_STATIC_TOOLKITS": "nowhere"},
        {"SVC_MAX_PAYMENT": "0.01"},
        {"SVC_DYNAMIC_TOOLS": "perhaps"},
    ],
    ids=json.dumps,
)
async def test_every_answer_is_that_of_typescript(
    service: LocalService, meta: dict[str, Any], variables: dict[str, str]
) -> None:
    toolkit = f"same-{next(_NUMBERS)}"
    variables = {name: value.replace("TOOLKIT", toolkit) for name, value in variables.items()}
    async with mcp_stage(service, toolkit) as stage:
        conversations = [
            await converse(stage, meta, variables, command) for command in (MCP_COMMAND, TYPESCRIPT_MCP_COMMAND)
        ]
    ours, typescript = conversations
    assert len(ours) >= 17
    assert ours == typescript


@pytest.mark.parametrize("meta", [_NO_META, STATELESS], ids=["handshake", "stateless"])
async def test_a_call_that_claude_code_sends_again_under_its_id_runs_once(
    service: LocalService, meta: dict[str, Any]
) -> None:
    toolkit = f"again-{next(_NUMBERS)}"
    arguments = {"action": f"{toolkit}__count", "payload": {}}
    async with mcp_stage(service, toolkit) as stage, mcp_process(stage.environment) as mcp:
        if not meta:
            await mcp.initialize()
        runs = []
        for last in ("Zz", "Zz", "Zq"):
            use = {"claudecode/toolUseId": f"toolu_01WvBg04zwJaH2HFdQHJ3O{last}"}
            answer = await mcp.call("invoke_service", arguments, _meta={**meta, **use})
            runs.append(answer["structuredContent"]["run"])
    assert runs == [1, 1, 2]


async def test_a_killed_service_is_an_error_with_the_next_step_and_is_found_again() -> None:
    with start_service(COMMAND, ["--limit", "heartbeatMs=1000", "--log-level", "silent"]) as own:
        async with mcp_stage(own, "killed") as stage:
            variables = {**stage.environment, "SVC_STATIC_TOOLKITS": "killed"}
            async with mcp_process(variables) as mcp:
                await mcp.initialize()
                assert len((await mcp.request("tools/list"))["result"]["tools"]) == 9
                own.kill()
                failed = await mcp.call("search_services", {"query": "weather"})
                assert failed["structuredContent"]["error"]["code"] == "SERVICE_UNREACHABLE"
                assert "Start a service with `npx svc-service serve`" in failed["content"][0]["text"]
                tools = (await mcp.request("tools/list"))["result"]["tools"]
                assert [tool["name"] for tool in tools] == ["search_services", "invoke_service", "missing_tools"]
                await until(lambda: "svc-tools-mcp: SERVICE_UNREACHABLE: " in mcp.log)

                await asyncio.to_thread(own.start)
                async with asyncio.timeout(PATIENCE):
                    while (await mcp.call("missing_tools")).get("isError"):
                        await asyncio.sleep(0.05)
                assert {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"} in mcp.received
                async with asyncio.timeout(PATIENCE):
                    # The toolkit may be back later than the service.
                    while (answer := await mcp.call("killed__today", {"city": "Rome"})).get("isError"):
                        assert answer["structuredContent"]["error"]["code"] == "TOOLKIT_OFFLINE"
                        await asyncio.sleep(0.05)
                assert answer["structuredContent"] == {"city": "Rome", "celsius": 21}
                assert await mcp.end() == 0


@pytest.mark.parametrize(
    ("key", "code", "where"),
    [
        ("", "INVALID_KEY", "No agent key"),
        ("svc_toolkit_secret", "WRONG_KEY_KIND", "needs an agent key"),
        ("sk-secret", "INVALID_KEY", "begins with svc_agent_"),
        ("svc_agent_secret", "INVALID_KEY", ""),
    ],
)
async def test_the_error_for_a_wrong_key_names_its_setting_and_never_shows_the_key(
    service: LocalService, key: str, code: str, where: str
) -> None:
    async with mcp_process({"SVC_BASE_URL": service.url, "SVC_AGENT_API_KEY": key}) as mcp:
        await mcp.initialize()
        error = (await mcp.call("search_services", {"query": "weather"}))["structuredContent"]["error"]
        assert error["code"] == code
        assert where in error["message"]
        assert error["message"].endswith("restart the client after a change.")
        await until(lambda: f"svc-tools-mcp: {code}: " in mcp.log)
        await mcp.end()
        assert "secret" not in mcp.log + json.dumps(mcp.received)


@pytest.mark.parametrize("argument", ["--api-key=svc_agent_secret", "svc_agent_secret"])
async def test_arguments_are_refused_and_not_quoted(argument: str) -> None:
    async with mcp_process({}, [argument]) as mcp:
        await mcp.initialize()
        (missing,) = (await mcp.request("tools/list"))["result"]["tools"]
        assert "(INVALID_REQUEST: svc-tools-mcp takes no arguments: set the SVC_… variables" in missing["description"]
        await mcp.end()
        assert mcp.log.startswith("svc-tools-mcp: INVALID_REQUEST: svc-tools-mcp takes no arguments")
        assert "secret" not in mcp.log + json.dumps(mcp.received)


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        '{"a":',
        "\x00\uffff",
        '{"jsonrpc":"1.0","id":1,"method":"ping"}',
        '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
        '"text"',
        "NaN",
        "[" * 100_000,
        "1" * 10_000,
        '{"jsonrpc":"2.0","id":{},"method":"ping"}',
        '{"jsonrpc":"2.0","id":null,"method":"ping"}',
        '{"jsonrpc":"2.0","id":true,"method":"ping"}',
        '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
        '{"jsonrpc":"2.0","id":1,"method":7}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
    ],
    ids=lambda line: line[:40],
)
async def test_a_line_that_is_not_a_message_is_reported_and_the_next_one_is_answered(line: str) -> None:
    async with mcp_process({"SVC_AGENT_API_KEY": "none"}) as mcp:
        mcp.send(line)
        mcp.send({"id": "next", "method": "ping"})
        assert await mcp.answer("next") == {"jsonrpc": "2.0", "id": "next", "result": {}}
        assert len(mcp.received) == 1
        await until(lambda: "A line on stdin is not a message of MCP and was ignored" in mcp.log)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "\r",
        '{"jsonrpc":"2.0","id":1,"result":{}}',
        '{"jsonrpc":"2.0","method":"notifications/unknown"}',
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unknown"}}',
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}',
    ],
)
async def test_a_line_that_needs_no_answer_is_not_answered(line: str) -> None:
    async with mcp_process({"SVC_AGENT_API_KEY": "none"}) as mcp:
        mcp.send(line)
        mcp.send({"id": "next", "method": "ping"})
        await mcp.answer("next")
        assert len(mcp.received) == 1
        await mcp.end()
        assert "not a message" not in mcp.log


async def test_a_cancelled_call_gets_no_answer_and_ends_at_the_handler(service: LocalService) -> None:
    async with mcp_stage(service, "mcp-cancel") as stage, mcp_process(stage.environment) as mcp:
        await mcp.initialize()
        await _begin_to_wait(mcp, stage)
        mcp.send({"method": "notifications/cancelled", "params": {"requestId": "waiting"}})
        async with asyncio.timeout(PATIENCE):
            assert await stage.events.get() == "cancelled"
        await mcp.request("ping")
        assert "waiting" not in [message.get("id") for message in mcp.received]


async def test_a_client_that_disconnects_during_a_call_ends_the_process_and_cancels_the_call(
    service: LocalService,
) -> None:
    async with mcp_stage(service, "mcp-leave") as stage, mcp_process(stage.environment) as mcp:
        await mcp.initialize()
        await _begin_to_wait(mcp, stage)
        assert await mcp.end() == 0
        async with asyncio.timeout(PATIENCE):
            assert await stage.events.get() == "cancelled"


def test_messages_of_a_file_are_answered() -> None:
    """No answer is lost with a closed pipe, or with stdin that is not a pipe."""
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    run = subprocess.run(MCP_COMMAND, input=ping, capture_output=True, check=False)
    assert (run.returncode, run.stdout) == (0, b'{"jsonrpc":"2.0","id":1,"result":{}}\n')


def test_version_and_help_are_answered_on_stdout() -> None:
    for option, printed in (("--version", f"{__version__}\n"), ("--help", HELP), ("-h", HELP)):
        run = subprocess.run([*MCP_COMMAND, option], capture_output=True, text=True, check=False)
        assert (run.returncode, run.stdout, run.stderr) == (0, printed, "")


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="this system does not measure the CPU time of one process")
def test_the_cpu_time_until_initialize_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        for name, command in (("Python", MCP_COMMAND), ("TypeScript", TYPESCRIPT_MCP_COMMAND)):
            least = min(_cpu_until_initialize(command) for _ in range(5))
            print(f"\n{name}: {least * 1000:.0f} ms of CPU from spawn to initialize", file=sys.stderr)


def _cpu_until_initialize(command: Sequence[str]) -> float:
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin
    assert process.stdout
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    assert process.stdout.readline()
    process.kill()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = -9
    process.stdin.close()
    process.stdout.close()
    return usage.ru_utime + usage.ru_stime


async def _begin_to_wait(mcp: McpProcess, stage: McpStage) -> None:
    call = {"name": "invoke_service", "arguments": {"action": f"{stage.toolkit_id}__wait", "payload": {}}}
    mcp.send({"id": "waiting", "method": "tools/call", "params": call})
    async with asyncio.timeout(PATIENCE):
        assert await stage.events.get() == "began"
