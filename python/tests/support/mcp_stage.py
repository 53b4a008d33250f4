"""A toolkit for the tests of the MCP server, and the variables of a client that may use it."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from svc import ActionContext, Toolkit
from svc.testing import LocalService
from tests.support.keys import create_key
from tests.support.running import serving


@dataclass
class McpStage:
    toolkit_id: str
    toolkit: Toolkit
    environment: dict[str, str]
    #: The events of the handler of ``wait``.
    events: "asyncio.Queue[str]"


@asynccontextmanager
async def mcp_stage(service: LocalService, name: str) -> AsyncIterator[McpStage]:
    """The toolkit with this id, registered."""
    toolkit = Toolkit(create_key(service, "toolkit", name), base_url=service.url)
    events: asyncio.Queue[str] = asyncio.Queue()

    @toolkit.action(
        action="today",
        action_description="Weather of today in a city",
        payload_description={"city": {"type": "string", "required": True}},
        annotations={"readOnly": True},
    )
    def today(ctx: ActionContext, payload: Any) -> Any:
        if payload["city"] == "Atlantis":
            raise ctx.error("CITY_UNKNOWN", "There is no weather for Atlantis")
        return {"city": payload["city"], "celsius": 21}

    @toolkit.action(action="report", action_description="Reports its progress")
    def report(ctx: ActionContext) -> str:
        for progress in (1, 1, 0.5, 2):
            ctx.progress(progress, total=2)
        return "reported"

    @toolkit.action(action="draw", action_description="Draws a picture")
    def draw(ctx: ActionContext) -> Any:
        ctx.image(b"\x89PNG\r\n\x1a\n", "image/png")
        return {"width": 1}

    @toolkit.action(
        action="anything",
        action_description="Takes anything",
        payload_description={"type": "object", "properties": {"any": True, "none": False}},
    )
    def anything(ctx: ActionContext, payload: Any) -> Any:
        return [payload]

    @toolkit.action(action="sell", action_description="Sells a report", payment={"amount": "0.05"})
    def sell(ctx: ActionContext) -> Any:
        ctx.charge("0.03")
        return {"sold": True}

    runs = itertools.count(1)

    @toolkit.action(action="count", action_description="Counts its runs")
    def count(ctx: ActionContext) -> Any:
        return {"run": next(runs)}

    @toolkit.action(action="wait", action_description="Waits until it should stop")
    async def wait(ctx: ActionContext) -> None:
        events.put_nowait("began")
        await ctx.cancelled.wait()
        events.put_nowait("cancelled")

    key = create_key(service, "agent", name, budget=True)
    async with serving(toolkit):
        yield McpStage(name, toolkit, {"SVC_BASE_URL": service.url, "SVC_AGENT_API_KEY": key}, events)
