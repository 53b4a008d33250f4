"""Runs the unchanged code blocks of python/README.md, which names every error code."""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest

import svc
from svc.errors import ERRORS
from tests.client.fake_platform import FakePlatform, until
from tests.docs.linter import lint
from tests.docs.page_blocks import PageProgram, python_blocks
from tests.docs.stage import Stage, output_of, program, until_found
from tests.docs.users_pytest import assert_tests_pass
from tests.support.repository import REPOSITORY
from tests.support.running import running, serving
from tests.support.waiting import PATIENCE
from tests.support.wire_server import Received, Reply, wire_server

PAGE = "python/README.md"
#: The programs of the first page of the repository, by the names of their files.
FILES = {block.file: block.code for block in python_blocks(PAGE) if block.file is not None}
BLOCKS = [block.code for block in python_blocks(PAGE) if block.file is None]

#: The first line of each other block -> the test that runs the block.
FORECAST = "from typing import TypedDict"
REPORT = "@toolkit.action\nasync def report("
SIGNAL = "import signal"
STATIC_TOOLS = "await tools.get_tools("
WITHOUT_A_MODEL = "found = await tools.search("
ERROR = "from svc import SvcError"
WHOAMI = "import httpx2"
TOKENS = "async def token_of("
LINKS = "async def show_link("
ASK_USER = "async def ask_user("
FILM = "from svc import UnfinishedInvocation"


def block(beginning: str) -> str:
    """The only block that begins with this text."""
    (found,) = [each for each in BLOCKS if each.startswith(beginning)]
    return found


def test_each_block_is_run_here() -> None:
    beginnings = (FORECAST, REPORT, SIGNAL, STATIC_TOOLS, WITHOUT_A_MODEL, ERROR, WHOAMI, TOKENS, LINKS, ASK_USER, FILM)
    assert [each for each in BLOCKS if not each.startswith(beginnings)] == []
    assert list(FILES) == ["weather.py", "ask.py", "agent.py", "test_greeter.py"]


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
async def test_the_loop_finds_and_uses_the_toolkit(stage: Stage, tmp_path: Path) -> None:
    async def ask(city: str) -> str:
        question = f"What is the weather in {city}?"
        return await output_of(write(tmp_path, "ask.py"), question, environment=stage.environment())

    assert await ask("Rome") == "In Rome it is 21 °C, and the sky is clear.\n"
    assert "Atlantis has no weather station" in await ask("Atlantis")


@pytest.mark.usefixtures("weather")
async def test_the_calls_of_the_page(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    async with stage.tools("page") as tools:
        blocks = [block(each) for each in (STATIC_TOOLS, WITHOUT_A_MODEL, ERROR)]
        await PageProgram(PAGE, {"tools": tools}, blocks=blocks).run()
    printed = capsys.readouterr().out
    assert "{'city': 'Rome', 'celsius': 21, 'sky': 'clear'}\n" in printed
    assert "INVALID_PAYLOAD" in printed


def test_the_linter_reads_the_toolkit(tmp_path: Path) -> None:
    report = lint(write(tmp_path, "weather.py"))
    assert report == {"toolkit": "weather", "actions": 1, "rejected": [], "findings": []}


async def test_the_blocks_about_a_running_toolkit(stage: Stage) -> None:
    toolkit = svc.Toolkit(stage.toolkit_key("reports"))
    names = {"toolkit": toolkit, "ActionContext": svc.ActionContext}
    await PageProgram(PAGE, names, blocks=[block(FORECAST), block(REPORT), block(SIGNAL)]).run()
    async with running(toolkit), stage.tools() as tools:
        await toolkit.ready()
        forecast = await tools.invoke("reports__forecast", {"city": "Rome", "days": 1})
        assert forecast["result"] == [{"low": 8, "high": 17}]
        answer = await tools.invoke("reports__report")
        assert answer["result"] == {"months": 12}
        assert answer["content"][0]["resource"]["text"] == "month,rain\n1,60\n"
        os.kill(os.getpid(), 15)
        async with asyncio.timeout(PATIENCE):
            await toolkit.run()
    asyncio.get_running_loop().remove_signal_handler(15)


async def test_each_user_acts_with_their_own_account(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    def github(request: Received) -> Reply:
        is_ann = request.headers.get("authorization") == "Bearer tok-of-ann"
        return Reply(body={"login": "ann"}) if is_ann else Reply(401, {})

    async with wire_server(github) as server:
        names = {"toolkit": svc.Toolkit(stage.toolkit_key("github")), "ActionContext": svc.ActionContext}
        page = PageProgram(PAGE, {**names, "api": server.url}, blocks=[block(WHOAMI), block(TOKENS)])
        await page.run_next()
        async with serving(page["toolkit"]):
            page.names |= {
                "Tools": svc.Tools,
                "tokens": {("github", "ann"): "tok-of-ann", ("github", "bob"): "tok-of-eve"},
            }
            await page.run_next()
            with pytest.raises(svc.SvcError) as refused:
                await page["tools"].for_user("bob").invoke("github__whoami")
            await page["tools"].aclose()
    assert capsys.readouterr().out == "{'login': 'ann'}\n"
    assert refused.value.code == "CONNECTION_REQUIRED"


async def test_a_user_gets_the_link_and_the_model_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = {"toolkit": "github", "url": "https://svc.example/connections/connect/abc"}
    required = {"code": "CONNECTION_REQUIRED", "detail": f"Connect at {connect['url']}", "connect": connect}
    sent: list[tuple[str, str]] = []

    class Chat:
        async def send(self, user: str, text: str) -> None:
            sent.append((user, text))

    async with wire_server(Reply(403, required)) as server:
        monkeypatch.setenv("SVC_BASE_URL", server.url)
        monkeypatch.setenv("SVC_AGENT_API_KEY", "svc_agent_page")
        page = PageProgram(PAGE, {"Tools": svc.Tools, "chat": Chat()}, blocks=[block(LINKS)])
        await page.run()
        async with page["tools"] as tools:
            answer = await tools.answer_tool("github__whoami", {})
    assert sent == [("ann", f"Please connect github: {connect['url']}")]
    assert "The user was asked to connect an account" in answer.content
    assert connect["url"] not in answer.content


async def test_the_user_of_an_application_approves_a_call(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[tuple[str, str]] = []

    class Chat:
        async def confirms(self, user: str, text: str) -> bool:
            asked.append((user, text))
            return True

    def define(toolkit: svc.Toolkit) -> None:
        toolkit.action(action="refund", action_description="Gives the money of an order back")(lambda ctx: "refunded")

    key = stage.key_that_asks("shop__refund")
    page = PageProgram(PAGE, {"Tools": partial(svc.Tools, key), "chat": Chat()}, blocks=[block(ASK_USER)])
    async with stage.toolkit("shop", define):
        await page.run()
    await page["tools"].aclose()
    assert asked == [("ann", "shop__refund {'order': 7}")]
    assert capsys.readouterr().out == "refunded\n"


async def test_the_result_of_a_long_call_comes_later(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    def define(toolkit: svc.Toolkit) -> None:
        toolkit.action(action="render", action_description="Renders a film", long=True)(lambda ctx: "a film")

    async with stage.toolkit("films", define), stage.tools() as tools:
        await PageProgram(PAGE, {"tools": tools}, blocks=[block(FILM)]).run()
    assert capsys.readouterr().out == "a film\n"


async def test_the_agent_answers_in_telegram(
    stage: Stage, tmp_path: Path, open_fake: Callable[..., FakePlatform]
) -> None:
    telegram = open_fake("telegram")
    options = telegram.client_options
    file = write(tmp_path, "agent.py")
    # The page uses Telegram itself.
    file.write_text(file.read_text().replace("bot_token=", f"api_root={options['api_root']!r}, bot_token="))
    environment = {**stage.environment(), "TELEGRAM_BOT_TOKEN": options["bot_token"]}
    async with program(file, environment=environment) as agent:
        telegram.say("Hello")
        await until(lambda: telegram.sent)
        agent.terminate()
        assert await asyncio.wait_for(agent.wait(), PATIENCE) == 0
    assert telegram.sent[-1]["text"] == "I am a script and not a model, and nothing is written for this."


def test_the_test_of_a_user_passes(tmp_path: Path) -> None:
    write(tmp_path, "test_greeter.py")
    assert_tests_pass(tmp_path)


def test_it_names_every_error_code() -> None:
    page = (REPOSITORY / PAGE).read_text()
    table = page[page.index("| codes | meaning |") : page.index("## Tests")]
    assert set(re.findall(r"`([A-Z_]+)`", table)) == set(ERRORS)
