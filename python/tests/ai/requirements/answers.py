"""Results and errors for the model."""

import base64
import json
from collections.abc import Callable
from typing import Any

from tests.ai.driver import Driver
from tests.ai.requirements.requirement import Requirements
from tests.ai.stage import PNG, Stage
from tests.ai.stage_conversation import DONE, Call, as_text, converse, invoke
from tests.support.match import assert_match

REQUIREMENTS = Requirements()

_WEATHER = invoke("weather__today", {"city": "Rome"})


def _fails(what: str, call: Call, expected: dict[str, Any], options: Callable[[Stage], dict[str, Any]]) -> None:
    async def check(stage: Stage, driver: Driver) -> None:
        told = await converse(stage, driver, [[call]], options=options(stage))
        assert_match(told.outputs, [{"error": {"message": "$string", **expected}}], {})
        assert told.text == DONE

    REQUIREMENTS.add(f"{what}: the model gets a code and what to do, and the run goes on")(check)


def _shared(stage: Stage) -> dict[str, Any]:
    return {"tools": stage.tools}


def _revoked(stage: Stage) -> dict[str, Any]:
    stage.revoke_key()
    return stage.connection


_fails(
    "an error of a handler",
    invoke("weather__today", {"city": "Atlantis"}),
    {
        "code": "ACTION_FAILED",
        "retryable": False,
        "cause": {"code": "CITY_UNKNOWN", "message": "Atlantis has no weather station"},
    },
    _shared,
)
_fails(
    "an account that is not connected",
    invoke("vault__whose", {"door": "front"}),
    {
        "code": "CONNECTION_REQUIRED",
        "retryable": False,
        "connect": {"toolkit": "vault", "help": "A token of the vault"},
    },
    _shared,
)
_fails(
    "an unknown action",
    invoke("weather__tody", {"city": "Rome"}),
    {"code": "ACTION_NOT_FOUND", "didYouMean": ["weather__today"]},
    _shared,
)
_fails(
    "a bad payload",
    invoke("weather__today", {"town": "Rome"}),
    {"code": "INVALID_PAYLOAD", "received": ["town"], "issues": [{"path": "/city"}]},
    _shared,
)
_fails(
    "a time-out",
    invoke("probe__hang", {}),
    {"code": "INVOCATION_TIMEOUT"},
    lambda stage: {**stage.connection, "timeout": 0.3},
)
_fails("a refused key", _WEATHER, {"code": "KEY_REVOKED", "retryable": False}, _revoked)
_fails(
    "a service that does not answer",
    {"name": "search_services", "arguments": {"query": "weather"}},
    {"code": "SERVICE_UNREACHABLE", "retryable": True},
    lambda stage: {**stage.connection, "base_url": "http://127.0.0.1:9", "timeout": 0.5},
)


@REQUIREMENTS.add("a toolkit that is offline: the model gets a code and what to do, and the run goes on")
async def _(stage: Stage, driver: Driver) -> None:
    stage.stop_weather()
    try:
        told = await converse(stage, driver, [[_WEATHER]], options={**stage.connection, "timeout": 1})
    finally:
        stage.start_weather()
    assert_match(told.outputs, [{"error": {"code": "TOOLKIT_OFFLINE", "retryable": True}}], {})
    assert told.text == DONE


def _gives(what: str, kind: str, expected: Any) -> None:
    async def check(stage: Stage, driver: Driver) -> None:
        told = await converse(stage, driver, [[invoke("probe__give", {"kind": kind})]])
        assert_match(told.outputs, [expected], {})
        assert told.text == DONE

    REQUIREMENTS.add(f"{what} in a result: the model gets plain JSON")(check)


_gives(
    "large integers, dates, bytes and circles",
    "odd",
    {"big": "12345678901234567890", "date": "2026-03-10T00:00:00.000Z", "kept": [None, 1]},
)
_gives("null", "nothing", None)
_gives("a list of objects that looks like content blocks", "blocks", [{"type": "text", "text": "not content"}])
_gives("a number", "number", 7)
_gives("an empty text", "empty", "")
_gives("a long text", "long", "x" * 20_000)


@REQUIREMENTS.add("an image, a file and a link in a result: the model reads what there is, and never base64")
async def _(stage: Stage, driver: Driver) -> None:
    told = await converse(stage, driver, [[invoke("probe__show", {})]])
    read = as_text(told.outputs[0])
    for words in (
        "[image image/png, 70 bytes]",
        "[image image/png, 6 bytes]",
        "a,b",
        "https://example.com/a.png",
        "width",
    ):
        assert words in read
    assert PNG[:24] not in read
    if driver.image is None or not driver.image.always:
        assert PNG[:24] not in "".join(told.requests)
    assert told.text == DONE


@REQUIREMENTS.add(
    "a model with image input gets the image in the format of its API, and no image that its API rejects", "images"
)
async def _(stage: Stage, driver: Driver) -> None:
    assert driver.image
    options = _shared(stage) if driver.image.always else {**_shared(stage), "images": True}
    told = await converse(stage, driver, [[invoke("probe__show", {})]], options=options)
    assert_contains(told.requests[-1], driver.image.block)
    assert told.requests[-1].count(driver.image.data) == 1
    assert base64.b64encode(b"<svg/>").decode() not in told.requests[-1]
    assert "[image image/png, 70 bytes]" in as_text(told.outputs[0])
    assert told.text == DONE


def assert_contains(body: str, block: Any) -> None:
    """Fails if no value in the JSON text equals the block."""
    assert block in _values(json.loads(body)), body


def _values(value: Any) -> list[Any]:
    """The value, and every value inside it."""
    if isinstance(value, dict):
        return [value, *(inner for member in value.values() for inner in _values(member))]
    if isinstance(value, list):
        return [value, *(inner for item in value for inner in _values(item))]
    return [value]
