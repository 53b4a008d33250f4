"""Runs the unchanged code blocks of python/README.md, which names every error code."""

import asyncio
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import svc
from svc.errors import ERRORS
from tests.client.fake_platform import FakePlatform, until
from tests.docs.page_blocks import PageProgram, python_blocks
from tests.docs.stage import Stage, output_of, program, until_found
from tests.docs.users_pytest import assert_one_test_passes
from tests.support.repository import REPOSITORY
from tests.support.running import running
from tests.support.waiting import PATIENCE

PAGE = "python/README.md"
BLOCKS = [block.code for block in python_blocks(PAGE)]

#: The first line of each block -> the test that runs the block.
WEATHER = "# weather.py"
REPORT = '@toolkit.action(action="report", '
SIGNAL = "import signal"
LOOP = "# agent.py"
STATIC_TOOLS = "await tools.get_tools("
WITHOUT_A_MODEL = "found = await tools.search("
AGENT = "# telegram_agent.py"
ERROR = "from svc import SvcError"
CONFTEST = "# conftest.py"
USERS_TEST = "# test_weather.py"


def block(beginning: str) -> str:
    """The only block that begins with this text."""
    (found,) = [each for each in BLOCKS if each.startswith(beginning)]
    return found


def test_each_block_is_run_here() -> None:
    beginnings = (WEATHER, REPORT, SIGNAL, LOOP, STATIC_TOOLS, WITHOUT_A_MODEL, AGENT, ERROR, CONFTEST, USERS_TEST)
    assert [each for each in BLOCKS if not each.startswith(beginnings)] == []


def write(folder: Path, beginning: str) -> Path:
    """Writes the block to the file in its first line."""
    code = block(beginning)
    file = folder / code.partition("\n")[0].removeprefix("# ")
    file.write_text(code)
    return file


async def test_the_toolkit_and_the_calls_of_the_page(
    stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = stage.environment("weather")
    async with program(write(tmp_path, WEATHER), environment=environment), stage.tools("page") as tools:
        await until_found(tools, "forecast for a city", "weather__forecast")
        blocks = [block(each) for each in (STATIC_TOOLS, WITHOUT_A_MODEL, ERROR)]
        await PageProgram(PAGE, {"tools": tools}, blocks=blocks).run()
    printed = capsys.readouterr().out
    assert "{'city': 'Rome', 'days': [{'low': 8, 'high': 17}, " in printed
    assert "INVALID_PAYLOAD" in printed


async def test_the_blocks_about_a_running_toolkit(stage: Stage) -> None:
    toolkit = svc.Toolkit(stage.toolkit_key("reports"))
    names = {"toolkit": toolkit, "ActionContext": svc.ActionContext}
    await PageProgram(PAGE, names, blocks=[block(REPORT), block(SIGNAL)]).run()
    async with running(toolkit), stage.tools() as tools:
        await toolkit.ready()
        answer = await tools.invoke("reports__report")
        assert answer["result"] == {"months": 12}
        assert answer["content"][0]["resource"]["text"] == "month,rain\n1,60\n"
        os.kill(os.getpid(), 15)
        async with asyncio.timeout(PATIENCE):
            await toolkit.run()
    asyncio.get_running_loop().remove_signal_handler(15)


async def test_the_loop_with_openai(stage: Stage, tmp_path: Path) -> None:
    async with program(write(tmp_path, WEATHER), environment=stage.environment("weather")), stage.tools() as tools:
        await until_found(tools, "forecast for a city", "weather__forecast")
        file = write(tmp_path, LOOP)
        # The scripted model expects a city in its question.
        file.write_text(file.read_text().replace("Will it rain in Rome tomorrow?", "What is the weather in Rome?"))
        printed = await output_of(file, environment=stage.environment())
    assert printed.startswith("In Rome it is ")


async def test_the_agent_answers(stage: Stage, tmp_path: Path, open_fake: Callable[..., FakePlatform]) -> None:
    telegram = open_fake("telegram")
    options = telegram.client_options
    file = write(tmp_path, AGENT)
    # The page uses Telegram itself.
    file.write_text(file.read_text().replace("bot_token=", f"api_root={options['api_root']!r}, bot_token="))
    environment = {**stage.environment(), "TELEGRAM_BOT_TOKEN": options["bot_token"]}
    async with program(file, environment=environment):
        telegram.say("Hello")
        await until(lambda: telegram.sent)


def test_the_fixture_in_a_project_of_a_user(tmp_path: Path) -> None:
    write(tmp_path, CONFTEST)
    write(tmp_path, USERS_TEST)
    assert_one_test_passes(tmp_path)


def test_it_names_every_error_code() -> None:
    page = (REPOSITORY / PAGE).read_text()
    table = page[page.index("| codes | meaning |") : page.index("## Tests")]
    assert set(re.findall(r"`([A-Z_]+)`", table)) == set(ERRORS)
