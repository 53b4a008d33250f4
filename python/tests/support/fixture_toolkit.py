"""The toolkit of the vectors, with handlers of this SDK."""

import asyncio
import base64
from collections.abc import Sequence
from typing import Any

from svc import ActionContext, Toolkit
from svc.toolkit import Handler
from tests.support.repository import vector

FIXTURE = vector("fixture")

_PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def registrations(long: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The registrations of the fixture's actions, some of which take long."""
    actions = [{name: each[name] for name in each if name != "handler"} for each in FIXTURE["actions"]]
    return [{**each, "long": True} if each["action"] in long else each for each in actions]


def define_fixture(toolkit: Toolkit, long: Sequence[str] = ()) -> asyncio.Event:
    """Adds the actions. The event releases ``gate``.

    Args:
        long: the actions that take long.
    """
    gate = asyncio.Event()

    def echo(ctx: ActionContext, payload: Any) -> Any:
        return payload

    def fail(ctx: ActionContext) -> Any:
        return ctx.error("NO_LUCK", "It failed", data={"dice": 1})

    def report(ctx: ActionContext) -> Any:
        ctx.progress(1, 2, "half")
        ctx.progress(2, 2)
        return ctx.Result("done")

    async def hang(ctx: ActionContext) -> Any:
        await ctx.cancelled.wait()
        return "stopped"

    async def gated(ctx: ActionContext) -> Any:
        await gate.wait()
        return "passed"

    def tell(ctx: ActionContext) -> Any:
        return {"idempotencyKey": ctx.idempotency_key, "attempt": ctx.attempt}

    def show(ctx: ActionContext) -> Any:
        ctx.image(base64.b64decode(_PNG), "image/png")
        ctx.file("a,b", "text/csv", "table.csv")
        ctx.link("https://example.com/picture.png")
        return ctx.Result({"width": 1})

    async def sell(ctx: ActionContext, payload: Any) -> Any:
        ctx.charge("0.03")
        if "wait" in payload:
            await gate.wait()
        return ctx.payment

    def erase(ctx: ActionContext) -> Any:
        return "erased"

    handlers: dict[str, Handler] = {
        "echo": echo,
        "fail": fail,
        "report": report,
        "hang": hang,
        "gate": gated,
        "tell": tell,
        "show": show,
        "sell": sell,
        "erase": erase,
    }
    for each in registrations(long):
        toolkit.action(
            action=each["action"],
            action_description=each["actionDescription"],
            payload_description=each.get("payloadDescription"),
            annotations=each.get("annotations"),
            payment=each.get("payment"),
            long=each.get("long", False),
        )(handlers[each["action"]])
    return gate


def define_more(toolkit: Toolkit, count: int) -> list[dict[str, Any]]:
    """Adds actions that make the list of the toolkit long, and returns their registrations."""
    registrations = [{"action": f"more_{n}", "actionDescription": "x" * 2_000} for n in range(count)]
    for n, each in enumerate(registrations):
        decorate = toolkit.action(action=each["action"], action_description=each["actionDescription"])
        decorate(lambda ctx, n=n: n)
    return registrations
