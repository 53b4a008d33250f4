"""Runs the programs of examples/python/ on the real service, with the scripted model."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from svc import SvcError
from tests.client.fake_platform import FakePlatform, until
from tests.docs.linter import lint
from tests.docs.stage import Stage, output_of, program
from tests.support.mcp_process import MCP_COMMAND
from tests.support.repository import REPOSITORY
from tests.support.waiting import PATIENCE

EXAMPLES = REPOSITORY / "examples" / "python"
TOOLKITS = {"charts": 1, "notes": 3, "proofreading": 1, "weather": 2}
QUESTION = "What is the weather in Rome?"
ANSWER = "In Rome it is 24 °C, and the sky is clear."


async def start(running: AsyncExitStack, stage: Stage, *names: str) -> None:
    """Starts toolkits, and waits until each prints that it is ready."""
    for name in names:
        file = EXAMPLES / "toolkits" / f"{name}.py"
        process = await running.enter_async_context(program(file, environment=stage.environment(name)))
        assert process.stdout
        said = (await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode()
        assert said == f"{name.title()} is ready with {TOOLKITS[name]} actions\n"


@pytest.fixture
async def weather(stage: Stage) -> AsyncIterator[None]:
    async with AsyncExitStack() as running:
        await start(running, stage, "weather")
        yield


async def test_the_toolkits_do_their_work(stage: Stage) -> None:
    async with AsyncExitStack() as running, stage.tools() as tools:
        await start(running, stage, *TOOLKITS)

        async def result(action: str, payload: dict[str, Any]) -> Any:
            return (await tools.invoke(action, payload))["result"]

        assert await result("weather__today", {"city": "Rome"}) == {"city": "Rome", "celsius": 24, "sky": "clear"}
        assert len((await result("weather__forecast", {"city": "Oslo", "days": 7}))["days"]) == 7
        with pytest.raises(SvcError) as unknown:
            await tools.invoke("weather__today", {"city": "Atlantis"})
        assert unknown.value.details["cause"]["data"] == {"cities": ["Berlin", "Lima", "Oslo", "Rome"]}

        assert await result("notes__write_note", {"text": "buy tea"}) == {"notes": 1}
        assert await result("notes__list_notes", {}) == {"notes": ["buy tea"]}
        assert await result("notes__delete_all_notes", {}) == {"deleted": 1}

        drawn = await tools.invoke(
            "charts__bar_chart", {"bars": [{"label": "a", "value": 1}, {"label": "b", "value": 2}]}
        )
        assert drawn["result"] == {"bars": 2, "highest": 2}
        assert [block["type"] for block in drawn["content"]] == ["image", "resource", "resource_link"]
        (media, *_) = (await tools.answer_tool("charts__bar_chart", {"bars": [{"label": "a", "value": 1}]})).media
        assert media.media_type == "image/png"

        read = await tools.invoke("proofreading__proofread", {"text": "the the tea , please"})
        assert [each["instead"] for each in read["result"]["mistakes"]] == ["the", ","]
        assert read["payment"] == {"authorised": "0.05", "charged": "0.001", "currency": "USD"}


@pytest.mark.parametrize("name", TOOLKITS)
def test_the_linter_reports_no_mistakes(name: str) -> None:
    report = lint(EXAMPLES / "toolkits" / f"{name}.py")
    assert report == {"toolkit": name, "actions": TOOLKITS[name], "rejected": [], "findings": []}


async def test_a_toolkit_ends_with_its_signal(stage: Stage) -> None:
    async with program(EXAMPLES / "toolkits" / "notes.py", environment=stage.environment("notes")) as process:
        assert process.stdout
        await process.stdout.readline()
        process.terminate()
        _, said = await asyncio.wait_for(process.communicate(), PATIENCE)
        assert (process.returncode, said) == (0, b"")


async def test_the_error_of_a_toolkit_that_cannot_be_served_names_the_reason(stage: Stage) -> None:
    environment = stage.environment() | {"SVC_TOOLKIT_API_KEY": stage.agent_key}
    async with program(EXAMPLES / "toolkits" / "notes.py", environment=environment) as process:
        _, said = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 1
    assert "toolkit key" in said.decode()


@pytest.mark.usefixtures("weather")
async def test_the_loop_answers(stage: Stage) -> None:
    printed = await output_of(EXAMPLES / "openai_loop.py", QUESTION, environment=stage.environment())
    assert printed == f"{ANSWER}\n"


async def test_each_user_sees_the_issues_of_their_own_account(stage: Stage) -> None:
    printed = await output_of(EXAMPLES / "connections.py", environment=stage.environment("issues"))
    assert printed == (
        "ann: The roof leaks\n"
        "bob: No tea left, The door squeaks\n"
        "eve: CONNECTION_REQUIRED, A token of the issue tracker\n"
    )


async def test_the_user_of_the_program_approves_a_small_refund(stage: Stage) -> None:
    environment = {**stage.environment("shop"), "SVC_AGENT_API_KEY": stage.key_that_asks("shop__refund")}
    printed = await output_of(EXAMPLES / "approvals.py", environment=environment)
    assert printed == (
        "ann, may the agent run shop__refund for 15?\n"
        "15 are back for order-1\n"
        "ann, may the agent run shop__refund for 500?\n"
        "APPROVAL_DENIED: More than 20 needs a letter\n"
    )


async def test_a_film_is_rendered_and_another_one_is_cancelled(stage: Stage) -> None:
    printed = await output_of(EXAMPLES / "long_calls.py", environment=stage.environment("films"))
    assert printed == "two films are being rendered\n{'frames': 3}\nINVOCATION_CANCELLED\n"


@pytest.mark.usefixtures("weather")
async def test_the_mcp_client_finds_an_action_and_uses_it(stage: Stage, tmp_path: Path) -> None:
    configuration = json.loads((EXAMPLES / "mcp" / "mcp.json").read_text())
    server = configuration["mcpServers"]["svc"]
    # test_mcp_uvx.py runs this command.
    assert [server["command"], *server["args"]] == ["uvx", "--from", "svc-sdk", "svc-tools-mcp"]
    command, *args = MCP_COMMAND
    variables = {name: stage.environment()[name] for name in server["env"]}
    server |= {"command": command, "args": args, "env": variables}
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps(configuration))
    asked = (str(file), "today's weather in a city", '{"city": "Rome"}')
    printed = await output_of(EXAMPLES / "mcp" / "client.py", *asked, environment={})
    assert printed == ('search_services, invoke_service\nweather__today: {"city":"Rome","celsius":24,"sky":"clear"}\n')


@pytest.mark.usefixtures("weather")
async def test_the_agent_in_telegram_answers(
    stage: Stage, tmp_path: Path, open_fake: Callable[..., FakePlatform]
) -> None:
    telegram = open_fake("telegram")
    environment = stage.environment() | {
        "TELEGRAM_BOT_TOKEN": telegram.client_options["bot_token"],
        "TELEGRAM_API_ROOT": telegram.client_options["api_root"],
        "SVC_MODEL": "openai/gpt-5-mini",
        "SVC_AGENT_STORE": str(tmp_path / "agent.db"),
    }
    async with program(EXAMPLES / "agent" / "telegram.py", environment=environment) as agent:
        telegram.say(QUESTION)
        await until(lambda: telegram.sent)
        agent.terminate()
        printed, said = await asyncio.wait_for(agent.communicate(), PATIENCE)
    assert telegram.sent[-1]["text"] == ANSWER
    assert (agent.returncode, printed, said) == (0, b"", b"")


@pytest.mark.usefixtures("weather")
async def test_the_agent_in_the_terminal_answers_each_line_and_ends_with_them(stage: Stage, tmp_path: Path) -> None:
    environment = stage.environment() | {
        "SVC_MODEL": "openai/gpt-5-mini",
        "SVC_AGENT_STORE": str(tmp_path / "agent.db"),
    }
    async with program(EXAMPLES / "agent" / "terminal.py", environment=environment) as agent:
        lines = f"{QUESTION}\n\n/new\n".encode()
        printed, said = await asyncio.wait_for(agent.communicate(lines), 60)
    assert (agent.returncode, said) == (0, b"")
    assert "\n  → search_services " in printed.decode()
    assert f"\nagent> {ANSWER}\n" in printed.decode()
    assert "\nagent> A new conversation. " in printed.decode()


def test_they_are_formatted_and_typed() -> None:
    # Programs for frameworks are tested in the environments of the frameworks.
    files = [str(EXAMPLES / name) for name in ("agent", "mcp", "toolkits", "connections.py", "openai_loop.py")]

    def check(*command: str) -> None:
        full = [sys.executable, "-m", *command]
        run = subprocess.run(full, cwd=REPOSITORY / "python", capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr

    check("ruff", "check", "--config", "pyproject.toml", *files)
    check("ruff", "format", "--check", "--config", "pyproject.toml", *files)
    check("mypy", "--no-error-summary", *files)
