"""The programs of docs/python/: each in its environment."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import trio

from svc import SvcError, Toolkit, Tools
from svc.protocol.json_text import to_json
from tests.docs.page_blocks import python_blocks
from tests.docs.stage import Stage, output_of
from tests.docs.users_pytest import assert_tests_pass

PLACES = tuple(f"docs/python/{name}.md" for name in ("frameworks", "notebook", "scripts", "testing", "web"))
BLOCKS = [block for page in PLACES for block in python_blocks(page)]
CELLS = [block.code for block in BLOCKS if block.file is None]
FILES = {block.file: block.code for block in BLOCKS if block.file is not None}
ROME = {"celsius": 21, "city": "Rome", "sky": "clear"}


def define_weather(toolkit: Toolkit) -> None:
    @toolkit.action(
        action="today",
        action_description="Today's weather in a city",
        payload_description={"city": {"type": "string"}},
    )
    def today(ctx: Any, payload: dict[str, Any]) -> dict[str, Any]:
        if payload["city"] == "Atlantis":
            raise ctx.error("CITY_UNKNOWN", "Atlantis has no weather station")
        return {"celsius": 21, "city": payload["city"], "sky": "clear"}


@pytest.fixture
async def weather(whole_stage: Stage) -> AsyncIterator[Stage]:
    async with whole_stage.toolkit("weather", define_weather):
        yield whole_stage


def write(folder: Path, name: str) -> Path:
    file = folder / name
    file.write_text(FILES[name])
    return file


def run_beside(folder: Path, code: str, stage: Stage, toolkit: str = "weather") -> str:
    """The output of a program that imports the files in the folder."""
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **stage.environment(toolkit)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_each_file_is_run_here() -> None:
    source = Path(__file__).read_text()
    assert [name for name in FILES if f'"{name}"' not in source] == []


@pytest.mark.parametrize("name", ["script.py", "trio_program.py"])
async def test_a_program_without_asyncio_prints_its_answer(weather: Stage, tmp_path: Path, name: str) -> None:
    assert await output_of(write(tmp_path, name), environment=weather.environment()) == "Rome\n"


async def test_the_loop_that_blocks_answers(weather: Stage, tmp_path: Path) -> None:
    program = write(tmp_path, "sync_ask.py")
    answer = await output_of(program, "What is the weather in Rome?", environment=weather.environment())
    assert answer == "In Rome it is 21 °C, and the sky is clear.\n"


def test_the_tests_of_a_user_pass(tmp_path: Path) -> None:
    write(tmp_path, "test_weather.py")
    assert_tests_pass(tmp_path, 2)


async def test_the_view_of_flask_answers_and_maps_a_failure(weather: Stage, tmp_path: Path) -> None:
    write(tmp_path, "flask_app.py")
    code = """
from flask_app import app
client = app.test_client()
print(client.get("/weather/Rome").json)
failed = client.get("/weather/Atlantis")
print(failed.status_code, failed.json["cause"]["code"])
"""
    printed = await asyncio.to_thread(run_beside, tmp_path, code, weather)
    assert printed == f"{ROME}\n502 CITY_UNKNOWN\n"


async def test_both_views_of_django_answer(weather: Stage, tmp_path: Path) -> None:
    write(tmp_path, "django_app.py")
    code = """
import django_app, django
django.setup()
from django.test import Client
for place in ("weather", "async", "weather"):
    print(Client().get(f"/{place}/Rome").json())
"""
    printed = await asyncio.to_thread(run_beside, tmp_path, code, weather)
    assert printed == f"{ROME}\n" * 3


async def test_fastapi_serves_its_toolkit_while_it_runs(whole_stage: Stage, tmp_path: Path) -> None:
    write(tmp_path, "fastapi_app.py")
    code = """
import asyncio, httpx2
from fastapi_app import app
async def main():
    async with app.router.lifespan_context(app):
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://app") as client:
            print((await client.get("/greet/Ada")).json())
asyncio.run(main())
"""
    printed = await asyncio.to_thread(run_beside, tmp_path, code, whole_stage, "hello")
    assert printed == "{'text': 'Hello, Ada'}\n"


async def test_a_framework_without_an_adapter_takes_at_most_eight_lines(weather: Stage) -> None:
    names: dict[str, Any] = {}
    exec(FILES["my_framework.py"], names)
    assert len([line for line in FILES["my_framework.py"].splitlines() if line]) <= 8
    async with weather.tools() as shared:
        tools = {
            name: (parameters, run) for name, _, parameters, run in names["svc_tools"](lambda *tool: tool, tools=shared)
        }
        assert list(tools) == ["search_services", "invoke_service"]
        parameters, run = tools["invoke_service"]
        assert parameters["type"] == "object"
        assert await run(action="weather__today", payload={"city": "Rome"}) == to_json(ROME)
        assert "CITY_UNKNOWN" in await run(action="weather__today", payload={"city": "Atlantis"})


async def test_cells_of_a_notebook_call_with_and_without_await_and_define_an_action_again(weather: Stage) -> None:
    start, define, call, without_await = CELLS
    cells = [start, define, call, define.replace("* 2", "* 3"), call, without_await]
    command = [sys.executable, str(Path(__file__).with_name("notebook.py"))]
    environment = {**os.environ, **weather.environment("notebook")}

    def play() -> str:
        done = subprocess.run(
            command, input=json.dumps(cells), env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert json.loads(await asyncio.to_thread(play)) == ["", "", "42\n", "", "63\n", f"{ROME}\n"]


def test_an_action_of_a_program_cannot_be_defined_twice() -> None:
    toolkit = Toolkit("svc_toolkit_any")
    toolkit.action(action="double", action_description="Doubles")(lambda ctx: 2)
    with pytest.raises(SvcError, match='There is an action "double" already'):
        toolkit.action(action="double", action_description="Doubles")(lambda ctx: 3)


@pytest.mark.parametrize("begin", ["search", "run", "serve"])
def test_trio_is_refused_with_advice(begin: str) -> None:
    from svc.agent import Agent

    async def main() -> None:
        if begin == "search":
            await Tools("svc_agent_any").search("weather")
        elif begin == "run":
            await Toolkit("svc_toolkit_any").run()
        else:
            await Agent("svc_agent_any", store=":memory:").serve()

    with pytest.raises(SvcError, match=r"svc-sdk runs on asyncio alone.*trio\.to_thread\.run_sync") as refused:
        trio.run(main)
    assert refused.value.code == "INVALID_REQUEST"
