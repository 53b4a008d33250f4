"""Runs the Python programs of README.md as files of a project."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.client.fake_platform import FakePlatform, until
from tests.docs.linter import lint
from tests.docs.page_blocks import python_blocks
from tests.docs.stage import Stage, output_of, program, until_found
from tests.docs.users_pytest import assert_one_test_passes
from tests.support.waiting import PATIENCE

FILES = {block.file: block.code for block in python_blocks("README.md")}


def write(folder: Path, file: str) -> Path:
    path = folder / file
    path.write_text(FILES[file])
    return path


@pytest.fixture
async def weather(stage: Stage, tmp_path: Path) -> AsyncIterator[None]:
    """weather.py is served."""
    async with program(write(tmp_path, "weather.py"), environment=stage.environment("weather")), stage.tools() as tools:
        await until_found(tools, "weather in a city", "weather__today")
        yield


@pytest.mark.usefixtures("weather")
async def test_its_programs_find_and_use_the_weather(stage: Stage, tmp_path: Path) -> None:
    async def run(file: str, *args: str) -> str:
        return await output_of(write(tmp_path, file), *args, environment=stage.environment())

    question = "What is the weather in {}?"
    assert await run("ask.py", question.format("Rome")) == "In Rome it is 21 °C, and the sky is clear.\n"
    assert "Atlantis has no weather station" in await run("ask.py", question.format("Atlantis"))
    assert await run("without_a_model.py") == "{'city': 'Rome', 'celsius': 21, 'sky': 'clear'}\n"
    assert await run("static_actions.py") == "['weather__today']\n"


async def test_the_agent_answers_in_telegram(
    stage: Stage, tmp_path: Path, open_fake: Callable[..., FakePlatform]
) -> None:
    telegram = open_fake("telegram")
    file = write(tmp_path, "agent.py")
    # The README uses Telegram itself.
    file.write_text(file.read_text().replace("bot_token=", 'api_root=os.environ["TELEGRAM_API_ROOT"], bot_token='))
    environment = {
        **stage.environment(),
        "TELEGRAM_BOT_TOKEN": telegram.client_options["bot_token"],
        "TELEGRAM_API_ROOT": telegram.client_options["api_root"],
    }
    async with program(file, environment=environment) as agent:
        telegram.say("Hello")
        await until(lambda: telegram.sent)
        agent.terminate()
        assert await asyncio.wait_for(agent.wait(), PATIENCE) == 0
    assert telegram.sent[-1]["text"] == "I am a script and not a model, and nothing is written for this."


def test_the_test_of_a_user_passes(tmp_path: Path) -> None:
    write(tmp_path, "test_greeter.py")
    assert_one_test_passes(tmp_path)


def test_the_linter_reads_the_toolkit(tmp_path: Path) -> None:
    report = lint(write(tmp_path, "weather.py"))
    assert report == {"toolkit": "weather", "actions": 1, "rejected": [], "findings": []}


def test_each_block_is_one_of_these_programs() -> None:
    assert list(FILES) == [
        "weather.py",
        "ask.py",
        "without_a_model.py",
        "static_actions.py",
        "agent.py",
        "test_greeter.py",
    ]
