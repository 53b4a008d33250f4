"""The code blocks of README.md run as they are there."""

import ast
import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import svc
from svc import Toolkit, Tools
from svc.testing import LocalService
from tests.support.repository import COMMAND, REPOSITORY
from tests.support.running import running
from tests.support.wire_server import Received, Reply, wire_server

BLOCKS = re.findall(r"```python\n(.*?)```", (REPOSITORY / "python" / "README.md").read_text(), re.DOTALL)


def block(beginning: str) -> str:
    """The one block that begins so."""
    (found,) = [each for each in BLOCKS if each.startswith(beginning)]
    return str(found)


async def run_here(code: str, names: dict[str, Any]) -> None:
    """Runs a block that is the inside of a coroutine."""
    compiled = compile(code, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    coroutine = eval(compiled, names)
    if coroutine is not None:
        await coroutine


@contextmanager
def program(folder: Path, code: str, environment: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """A block as a program."""
    file = folder / "program.py"
    file.write_text(code)
    process = subprocess.Popen(
        [sys.executable, str(file)], env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


async def test_the_toolkit_and_the_calls_of_the_page(
    service: LocalService, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {"SVC_BASE_URL": service.url, "SVC_TOOLKIT_API_KEY": service.create_key("toolkit", "weather-page")}
    with program(tmp_path, block("# weather.py"), environment):
        async with Tools(service.create_key("agent", "readme"), base_url=service.url) as tools:
            async with asyncio.timeout(30):
                while not (await tools.search("forecast for a city"))["actions"]:
                    await asyncio.sleep(0.05)
            names = {"tools": tools, "svc": svc}
            await run_here(block("await tools.get_tools(").replace("weather", "weather-page"), names)
            await run_here(block("found = await tools.search("), names)
            await run_here(block("from svc import SvcError").replace("weather__", "weather-page__"), names)
    printed = capsys.readouterr().out
    assert "{'city': 'Rome', 'days': [{'low': 8, 'high': 17}, " in printed
    assert "INVALID_PAYLOAD" in printed


async def test_the_blocks_about_a_running_toolkit(service: LocalService) -> None:
    toolkit = Toolkit(service.create_key("toolkit", "reports"), base_url=service.url)
    names = {"toolkit": toolkit, "asyncio": asyncio, "ActionContext": svc.ActionContext}
    await run_here(block('@toolkit.action(action="report"'), names)
    await run_here(block("import signal"), names)
    async with running(toolkit), Tools(service.create_key("agent", "readme"), base_url=service.url) as tools:
        await toolkit.ready()
        answer = await tools.invoke("reports__report")
        assert answer["result"] == {"months": 12}
        assert answer["content"][0]["resource"]["text"] == "month,rain\n1,60\n"
        os.kill(os.getpid(), 15)
        async with asyncio.timeout(10):
            await toolkit.run()
    asyncio.get_running_loop().remove_signal_handler(15)


async def test_the_loop_with_openai(service: LocalService, tmp_path: Path) -> None:
    def answer(request: Received) -> Reply:
        asked = len(request.body["messages"]) == 1
        call = {
            "id": "call_9fKq2LmZ7xTb4vWnR1sYc8Hd",
            "type": "function",
            "function": {"name": "search_services", "arguments": '{"query": "rain"}'},
        }
        spoken: dict[str, Any] = {"tool_calls": [call]} if asked else {"content": "No, it will be dry."}
        message = {"role": "assistant", "content": None, **spoken}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return Reply(body={"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]})

    async with wire_server(answer) as model:
        environment = {
            "SVC_BASE_URL": service.url,
            "SVC_AGENT_API_KEY": service.create_key("agent", "readme"),
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "none",
        }
        with program(tmp_path, block("# agent.py"), environment) as process:
            output, _ = await asyncio.to_thread(process.communicate, timeout=60)
    assert output == "No, it will be dry.\n"
    assert [tool["function"]["name"] for tool in model.received[0].body["tools"]] == [
        "search_services",
        "invoke_service",
    ]
    last = model.received[1].body["messages"][-1]
    assert (last["role"], last["tool_call_id"]) == ("tool", "call_9fKq2LmZ7xTb4vWnR1sYc8Hd")
    assert '"actions"' in last["content"]


def test_the_fixture_in_a_project_of_a_user(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(block("# conftest.py"))
    (tmp_path / "test_weather.py").write_text(block("# test_weather.py"))
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "SVC_COMMAND": " ".join(COMMAND)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed" in run.stdout
