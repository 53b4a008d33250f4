"""The arguments of models, with their mistakes."""

import re

from tests.ai.driver import Capability, Driver
from tests.ai.requirements.requirement import Requirements
from tests.ai.stage import Stage
from tests.ai.stage_conversation import DONE, as_text, converse, invoke

REQUIREMENTS = Requirements()

_WEATHER = invoke("weather__today", {"city": "Rome"})
_ROME = {"city": "Rome", "celsius": 21}


def _explains(what: str, text: str, *needs: Capability) -> None:
    async def check(stage: Stage, driver: Driver) -> None:
        told = await converse(stage, driver, [[{"name": "invoke_service", "arguments": text}], [_WEATHER]])
        assert re.search("action|JSON", as_text(told.outputs[0]), re.IGNORECASE)
        assert told.outputs[1] == _ROME
        assert told.text == DONE

    REQUIREMENTS.add(f"{what} as arguments: the model reads the correction, and the run continues", *needs)(check)


_explains("an empty text", "", "empty_arguments")
_explains("null", "null", "null_arguments")
_explains("an empty object", "{}")
_explains("cut JSON", '{"action": "weather__today", "payl', "cut_arguments")


@REQUIREMENTS.add("a payload that is a JSON text is understood", "misfits")
async def _(stage: Stage, driver: Driver) -> None:
    written = {"action": "weather__today", "payload": '{"city": "Rome"}'}
    told = await converse(stage, driver, [[{"name": "invoke_service", "arguments": written}], [_WEATHER]])
    # A framework that checks arguments itself refuses the text, and the model reads the reason.
    assert "21" in as_text(told.outputs[0]) or "payload" in as_text(told.outputs[0])
    assert told.outputs[1] == _ROME


@REQUIREMENTS.add("1 MB of arguments arrives")
async def _(stage: Stage, driver: Driver) -> None:
    told = await converse(stage, driver, [[invoke("probe__measure", {"text": "x" * 1_000_000})]])
    assert told.outputs == [{"characters": 1_000_000}]


@REQUIREMENTS.add("a call of a tool that does not exist is answered, and the run continues", "unknown_tools")
async def _(stage: Stage, driver: Driver) -> None:
    told = await converse(stage, driver, [[{"name": "weather", "arguments": {"city": "Rome"}}], [_WEATHER]])
    assert "weather" in as_text(told.outputs[0])
    assert told.outputs[1] == _ROME
