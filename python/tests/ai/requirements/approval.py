"""A human approves calls."""

import json
import re
from typing import Any

from tests.ai.driver import Driver
from tests.ai.requirements.payments import BUY
from tests.ai.requirements.requirement import Requirements
from tests.ai.stage import Stage
from tests.ai.stage_conversation import DONE, as_text, converse, invoke
from tests.support.match import assert_match

REQUIREMENTS = Requirements()

_ERASE = invoke("probe__erase", {"name": "a"})


def _is_about_b(arguments: Any) -> bool:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return '"b"' in text


@REQUIREMENTS.add("an action that is declared destructive runs only after a human has approved it", "approval")
async def _(stage: Stage, driver: Driver) -> None:
    told = await converse(stage, driver, [[_ERASE]])
    assert len(told.asked) == 1
    assert stage.erased == ["a"]
    assert told.outputs == [{"erased": "a"}]
    assert told.text == DONE


@REQUIREMENTS.add("an unapproved action does not run, and the model gets the error", "approval")
async def _(stage: Stage, driver: Driver) -> None:
    told = await converse(stage, driver, [[_ERASE]], approve=lambda arguments: False)
    assert len(told.asked) == 1
    assert stage.erased == []
    assert told.outputs[0] is not None


@REQUIREMENTS.add("a search, another action and an invalid call need no approval", "approval")
async def _(stage: Stage, driver: Driver) -> None:
    told = await converse(
        stage,
        driver,
        [
            [{"name": "search_services", "arguments": {"query": "erase"}}],
            [invoke("weather__today", {"city": "Rome"})],
            [invoke("probe__erase", {"nam": "a"})],
            [invoke("probe__ersae", {"name": "a"})],
        ],
    )
    assert told.asked == []
    expected = [
        {"city": "Rome", "celsius": 21},
        {"error": {"code": "INVALID_PAYLOAD"}},
        {"error": {"code": "ACTION_NOT_FOUND"}},
    ]
    assert_match(told.outputs[1:], expected, {})


@REQUIREMENTS.add("each call of one message needs a separate approval, and only approved calls run", "approval")
async def _(stage: Stage, driver: Driver) -> None:
    calls = [_ERASE, invoke("weather__today", {"city": "Rome"}), invoke("probe__erase", {"name": "b"})]
    told = await converse(stage, driver, [calls], approve=_is_about_b)
    assert len(told.asked) == 2
    assert stage.erased == ["b"]
    assert told.outputs[0] != {"erased": "a"}
    assert told.outputs[1:] == [{"city": "Rome", "celsius": 21}, {"erased": "b"}]


@REQUIREMENTS.add("the caller's own rule decides on the decoded action and payload", "approval")
async def _(stage: Stage, driver: Driver) -> None:
    seen: list[Any] = []

    async def needs_approval(action: str, payload: dict[str, Any], info: Any) -> bool:
        seen.append((action, payload))
        return bool(payload["city"] == "Rome")

    # The call is nested one level too deep: the decoded call decides, not the written one.
    nested = {"action": "weather__today", "payload": {"action": "weather__today", "payload": {"city": "Rome"}}}
    told = await converse(
        stage,
        driver,
        [[{"name": "invoke_service", "arguments": nested}, invoke("weather__today", {"city": "Oslo"})]],
        options={"tools": stage.tools, "needs_approval": needs_approval},
    )
    assert len(told.asked) == 1
    assert ("weather__today", {"city": "Rome"}) in seen
    assert "Rome" in as_text(told.outputs[0])
    assert "Oslo" in as_text(told.outputs[1])


@REQUIREMENTS.add("a price above ask_above is asked about, another is not", "approval")
async def _(stage: Stage, driver: Driver) -> None:
    tools = stage.shop_tools()
    dear = {"tools": tools, "ask_above": "0.049999", "needs_approval": False}
    told = await converse(stage, driver, [[BUY]], options=dear, approve=lambda arguments: False)
    assert (len(told.asked), stage.bought) == (1, [])
    told = await converse(stage, driver, [[BUY]], options={"tools": tools, "ask_above": "0.05"})
    assert (len(told.asked), stage.bought) == (0, ["hat"])


@REQUIREMENTS.add(
    "a price that rises between question and answer: the approval does not cover it, the next one does", "approval"
)
async def _(stage: Stage, driver: Driver) -> None:
    raised = False

    def approve(arguments: Any) -> bool:
        nonlocal raised
        if not raised:
            stage.reprice("0.06")
            raised = True
        return True

    options = {"tools": stage.shop_tools(), "ask_above": "0.01"}
    try:
        told = await converse(stage, driver, [[BUY], [BUY]], options=options, approve=approve)
    finally:
        stage.reprice("0.05")
    if driver.asks_anew:
        assert (len(told.asked), told.outputs) == (3, [{"bought": "hat"}, {"bought": "hat"}])
        return
    assert len(told.asked) == 2
    assert re.search(r"approv|may cost 0\.06 USD", told.outputs[0]["error"]["message"])
    assert (told.outputs[1], stage.bought) == ({"bought": "hat"}, ["hat"])


@REQUIREMENTS.add("static actions are asked about too; needs_approval=False asks about nothing", "approval")
async def _(stage: Stage, driver: Driver) -> None:
    call = {"name": "probe__erase", "arguments": {"name": "a"}}
    asks = {"tools": stage.tools, "static_actions": ["probe__erase"]}
    told = await converse(stage, driver, [[call]], options=asks, approve=lambda arguments: False)
    assert (len(told.asked), stage.erased) == (1, [])
    told = await converse(stage, driver, [[call]], options={**asks, "needs_approval": False})
    assert (len(told.asked), stage.erased) == (0, ["a"])
