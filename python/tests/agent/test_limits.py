"""The limit of tool calls holds over all turns, on a real service."""

import asyncio
import json
from typing import Any

import pytest

from svc import ActionContext, Toolkit
from svc.agent import ModelRequest
from svc.client.base import Message
from tests.agent.agents import TestedAgent, say
from tests.agent.pipe_client import PipeClient
from tests.agent.running import serving as serving_agent
from tests.agent.world import World
from tests.support.running import serving
from tests.support.waiting import until


class Handlers:
    """Handlers that run until the test releases them."""

    def __init__(self, toolkit: Toolkit) -> None:
        self.opened = asyncio.Event()
        self.running: list[str] = []
        self.most = 0

        @toolkit.action(action="wait", action_description="Waits", payload_description={"chat": {"type": "string"}})
        async def wait(ctx: ActionContext, payload: Any) -> str:
            self.running.append(payload["chat"])
            self.most = max(self.most, len(self.running))
            if payload["chat"] != "quick":
                await self.opened.wait()
            self.running.remove(payload["chat"])
            return "done"


async def call_five_times(request: ModelRequest) -> Message:
    last = request.messages[-1]
    if last["role"] == "tool":
        return say("ok")
    arguments = json.dumps({"action": "guest__wait", "payload": {"chat": last["content"]}})
    function = {"name": "invoke_service", "arguments": arguments}
    calls = [{"id": f"call_{index}", "type": "function", "function": function} for index in range(5)]
    return {"role": "assistant", "content": None, "tool_calls": calls}


@pytest.fixture
def toolkit(world: World) -> Toolkit:
    # The relay in front of the service does not support sockets.
    return Toolkit(world.line["keys"]["toolkit"], base_url=world.line["service"]["url"])


async def test_tool_call_concurrency_holds_over_all_turns_and_a_slow_chat_delays_no_other(
    world: World, toolkit: Toolkit
) -> None:
    handlers = Handlers(toolkit)
    await toolkit.update_toolkit(name="guest", description="Waits")
    client = PipeClient()
    agent = TestedAgent(
        client,
        model=call_five_times,
        base_url=world.service_url,
        tool_call_concurrency=3,
        api_key=world.agent_key,
    )
    async with serving(toolkit), serving_agent(agent):
        client.say("slow", "slow")
        await until(lambda: handlers.running == ["slow", "slow"])
        client.say("quick", "quick")
        await until(lambda: client.texts == ["ok"])
        assert client.sent[0].chat_id == "quick"
        handlers.opened.set()
        await until(lambda: client.texts == ["ok", "ok"])
    assert handlers.most == 3
