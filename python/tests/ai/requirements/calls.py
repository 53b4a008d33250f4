"""Tools are offered, calls are run: concurrently, once, and until they are cancelled."""

import asyncio
from itertools import count as numbers
from operator import itemgetter
from typing import Any

import pytest

from svc import SvcError
from tests.ai.driver import Driver
from tests.ai.requirements.requirement import Requirements
from tests.ai.stage import Stage
from tests.ai.stage_conversation import DONE, converse, invoke
from tests.support.match import assert_match
from tests.support.waiting import until

REQUIREMENTS = Requirements()


@REQUIREMENTS.add("the model searches, invokes and answers")
async def _(stage: Stage, driver: Driver) -> None:
    told = await converse(
        stage,
        driver,
        [
            [{"name": "search_services", "arguments": {"query": "weather of today in a city"}}],
            [invoke("weather__today", {"city": "Rome"})],
        ],
    )
    found, result = told.outputs
    assert_match(found["actions"][0], {"action": "weather__today", "annotations": {"readOnly": True}}, {})
    assert result == {"city": "Rome", "celsius": 21}
    assert told.text == DONE


@REQUIREMENTS.add("creates a Tools from options, and accepts an existing Tools")
async def _(stage: Stage, driver: Driver) -> None:
    for options in (stage.connection, {"tools": stage.tools}):
        told = await converse(stage, driver, [[invoke("weather__today", {"city": "Oslo"})]], options=options)
        assert told.outputs == [{"city": "Oslo", "celsius": 21}]


@REQUIREMENTS.add("offers the same two tools in the same bytes every time, with their schemas untouched")
async def _(stage: Stage, driver: Driver) -> None:
    first = await converse(stage, driver, [])
    second = await converse(stage, driver, [], options=stage.connection)
    assert str(first.offered) == str(second.offered)
    assert_offered(first.offered, list(stage.tools.definitions()), driver)


@REQUIREMENTS.add(
    "static actions are separate tools, named by their ids, with their JSON Schemas unchanged", "static_tools"
)
async def _(stage: Stage, driver: Driver) -> None:
    chosen = {"dynamic_tools": False, "static_toolkits": ["schemas"], "static_actions": ["weather__today"]}
    calls = [
        {"name": "weather__today", "arguments": {"city": "Lima"}},
        {"name": "schemas__nested", "arguments": {"where": {"x": 1, "y": None}, "tags": ["a"]}},
    ]
    told = await converse(stage, driver, [calls], options={"tools": stage.tools, **chosen})
    assert told.outputs == [{"city": "Lima", "celsius": 21}, {"where": {"x": 1, "y": None}, "tags": ["a"]}]
    assert [tool["name"] for tool in told.offered] == [*map(driver.as_named, ("schemas__nested", "weather__today"))]
    definitions: list[Any] = await stage.tools.load_definitions(**chosen)  # type: ignore[arg-type]
    assert_offered(told.offered, definitions, driver)


def assert_offered(offered: list[dict[str, Any]], definitions: list[Any], driver: Driver) -> None:
    expected = [
        (driver.as_named(each["name"]), each["description"], driver.as_offered(each["parameters"]))
        for each in definitions
    ]
    if driver.sorts_tools:
        expected.sort(key=itemgetter(0))
    assert [(each["name"], each["description"], each["parameters"]) for each in offered] == expected


@REQUIREMENTS.add(
    "a static action that does not exist is an error before the model is asked", "static_tools", "fail_to_load"
)
async def _(stage: Stage, driver: Driver) -> None:
    with pytest.raises(SvcError) as raised:
        await converse(stage, driver, [], options={"tools": stage.tools, "static_actions": ["weather__tody"]})
    assert raised.value.code == "ACTION_NOT_FOUND"
    assert raised.value.details["didYouMean"] == ["weather__today"]


@REQUIREMENTS.add("the calls of one message run at the same time, and each gets its own answer", "parallel")
async def _(stage: Stage, driver: Driver) -> None:
    names = ["a", "b", "c"]
    # Each handler waits until all three calls have arrived.
    told = await converse(stage, driver, [[invoke("probe__meet", {"name": name, "of": 3}) for name in names]])
    assert told.outputs == [{"name": name, "met": 3} for name in names]


@REQUIREMENTS.add("one call that fails keeps the others of its message")
async def _(stage: Stage, driver: Driver) -> None:
    cities = ["Rome", "Atlantis", "Oslo"]
    told = await converse(stage, driver, [[invoke("weather__today", {"city": city}) for city in cities]])
    rome, atlantis, oslo = told.outputs
    assert (rome, oslo) == ({"city": "Rome", "celsius": 21}, {"city": "Oslo", "celsius": 21})
    assert atlantis["error"]["code"] == "ACTION_FAILED"


@REQUIREMENTS.add("a cancel in the framework reaches the handler, and the call is recorded as cancelled", "cancel")
async def _(stage: Stage, driver: Driver) -> None:
    def codes() -> list[str]:
        return [record["code"] for record in stage.records if record["action"] == "probe__hang"]

    before = codes()
    running = asyncio.create_task(converse(stage, driver, [[invoke("probe__hang", {})]]))
    await until(lambda: stage.hangs["begun"])
    running.cancel()
    await until(lambda: stage.hangs["aborted"])
    await asyncio.wait([running])
    await until(lambda: len(codes()) > len(before))
    # Not INVOCATION_TIMEOUT: the cancel ended the handler.
    assert codes() == [*before, "INVOCATION_CANCELLED"]


# Few digits: an id with four equal ones, or five in order, does not look random.
_IDS = numbers()


@REQUIREMENTS.add("the same call made twice under one id runs once", "call_ids")
async def _(stage: Stage, driver: Driver) -> None:
    async def count(tool_call_id: str) -> int:
        told = await converse(stage, driver, [[invoke("probe__count", {}, id=tool_call_id)]])
        return int(told.outputs[0]["count"])

    unique, counter = f"call_9fKq2LmZ7xTbQw3RtYuI{next(_IDS):03}", "call_0"
    first = await count(unique)
    assert await count(unique) == first
    # The id may also belong to another call.
    assert [await count(counter), await count(counter)] == [first + 1, first + 2]


@REQUIREMENTS.add("a toolkit that needs an account gets the credential of the user, and the model reads no secret")
async def _(stage: Stage, driver: Driver) -> None:
    async def token_of(toolkit: str, user_id: str | None) -> Any:
        return {"bearer": f"tok-{toolkit}-{user_id}"}

    options = {**stage.connection, "user_id": "ada", "connections": token_of}
    told = await converse(stage, driver, [[invoke("vault__whose", {"door": "front"})]], options=options)
    assert told.outputs == [{"userId": "ada", "owner": "ada-tluav-kot", "door": "front"}]
    assert "tok-vault-ada" not in "".join(told.requests)


@REQUIREMENTS.add("progress shows while the action runs", "progress")
async def _(stage: Stage, driver: Driver) -> None:
    shown: list[Any] = []
    told = await converse(stage, driver, [[invoke("probe__report", {})]], on_progress=shown.append)
    assert shown == [{"progress": 1, "total": 2, "message": "half"}, {"progress": 2, "total": 2}]
    assert told.outputs == ["reported"]
