"""Prices and payments."""

from typing import Any

from svc import Tools
from tests.ai.driver import Driver
from tests.ai.requirements.requirement import Requirements
from tests.ai.stage import Stage
from tests.ai.stage_conversation import converse, invoke
from tests.support.match import assert_match

REQUIREMENTS = Requirements()

BUY = invoke("shop__buy", {"thing": "hat"})


@REQUIREMENTS.add("the model reads the price of an action, and no payment")
async def _(stage: Stage, driver: Driver) -> None:
    shown: list[Any] = []
    told = await converse(
        stage,
        driver,
        [[{"name": "search_services", "arguments": {"query": "buy a thing"}}], [BUY]],
        options={"tools": stage.shop_tools()},
        on_payment=shown.append,
    )
    found, result = told.outputs
    price = {"amount": "0.05", "currency": "USD"}
    assert_match(found["actions"][0], {"action": "shop__buy", "payment": price}, {})
    assert result == {"bought": "hat"}
    assert not any(word in request for request in told.requests for word in ("authorised", "charged"))
    assert stage.bought == ["hat"]
    paid = {"authorised": "0.05", "charged": "0.03", "currency": "USD"}
    assert shown == ([] if "payments" in driver.cannot else [paid])


@REQUIREMENTS.add("the framework shows the payment beside the result", "payments")
async def _(stage: Stage, driver: Driver) -> None:
    shown: list[Any] = []
    await converse(stage, driver, [[BUY]], options={"tools": stage.shop_tools()}, on_payment=shown.append)
    assert shown == [{"authorised": "0.05", "charged": "0.03", "currency": "USD"}]


@REQUIREMENTS.add("a static action has its price in its description", "static_tools")
async def _(stage: Stage, driver: Driver) -> None:
    options = {"tools": stage.shop_tools(), "static_actions": ["shop__buy"]}
    call = {"name": "shop__buy", "arguments": {"thing": "hat"}}
    told = await converse(stage, driver, [[call]], options=options)
    assert "Buys a thing in the shop. Costs up to 0.05 USD a call." in told.requests[0]
    assert told.outputs == [{"bought": "hat"}]


@REQUIREMENTS.add("a price above the limit of the caller: nothing runs, and the model reads why")
async def _(stage: Stage, driver: Driver) -> None:
    payer = stage.shop_tools()

    class Frugal(Tools):
        async def call_tool(self, name: str, arguments: Any, **options: Any) -> Any:
            return await payer.call_tool(name, arguments, **{**options, "max_payment": "0.049999"})

    told = await converse(stage, driver, [[BUY]], options={"tools": Frugal(**stage.connection)})
    payment = {"price": "0.05", "currency": "USD"}
    refused = {"code": "PAYMENT_REQUIRED", "payment": payment, "retryable": False}
    assert_match(told.outputs, [{"error": refused}], {})
    assert stage.bought == []
