"""Calls of an agent in chats that people elsewhere have to approve, on the real service."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from svc import ActionContext, Toolkit
from svc.agent import ModelRequest
from svc.client.base import Message
from svc.testing import LocalService
from tests.agent.agents import TestedAgent, say
from tests.agent.pipe_client import PipeClient
from tests.agent.running import serving as serving_agent
from tests.support.keys import admin_request, create_key
from tests.support.running import serving
from tests.support.waiting import until

TOLD = "A person has to approve this first. I will go on by myself when it is decided. Write /stop to end the wait."


def refunds(action: str) -> Callable[[ModelRequest], Awaitable[Message]]:
    function = {"name": "invoke_service", "arguments": json.dumps({"action": action, "payload": {}})}
    calls = [{"id": "c", "type": "function", "function": function}]

    async def model(request: ModelRequest) -> Message:
        last = request.messages[-1]
        if last["role"] == "tool":
            return say(str(last["content"]))
        return {"role": "assistant", "content": None, "tool_calls": calls}

    return model


@asynccontextmanager
async def shop(service: LocalService, name: str) -> AsyncIterator[list[str]]:
    runs: list[str] = []
    toolkit = Toolkit(create_key(service, "toolkit", name), base_url=service.url)

    @toolkit.action(action="refund", action_description="Gives the money of an order back")
    def refund(ctx: ActionContext) -> str:
        runs.append(ctx.invocation_id)
        return "refunded"

    async with serving(toolkit):
        yield runs


def pending(service: LocalService, action: str) -> list[Any]:
    found = admin_request(service, "GET", "/v1/approvals?status=pending")["approvals"]
    return [each["id"] for each in found if each["action"] == action]


@pytest.mark.parametrize(
    ("decision", "said", "count"), [("approve", "refunded", 1), ("deny", "too much", 0)], ids=["approved", "denied"]
)
async def test_the_turn_waits_over_a_restart_and_goes_on_by_itself(
    service: LocalService, tmp_path: Path, decision: str, said: str, count: int
) -> None:
    # Each case has its toolkit: the service is that of other tests too.
    name = f"elsewhere-{decision}"
    action = f"{name}__refund"
    rule = {"match": {"action": action}, "do": "ask"}
    options: dict[str, Any] = {
        "model": refunds(action),
        "api_key": create_key(service, "agent", "chat", rules=[rule]),
        "base_url": service.url,
        "store": tmp_path / "agent.db",
    }
    client = PipeClient()
    async with shop(service, name) as runs:
        async with serving_agent(TestedAgent(client, **options)):
            client.say("refund it")
            await until(lambda: client.texts == [TOLD])
        async with serving_agent(TestedAgent(client, **options)):
            (question,) = pending(service, action)
            body = {"decision": decision, "reason": "too much"}
            admin_request(service, "POST", f"/v1/approvals/{question}", body)
            await until(lambda: len(client.texts) == 2)
    assert said in client.texts[1]
    assert len(runs) == count
