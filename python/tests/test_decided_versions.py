"""A call runs the decided version, also if a toolkit registers another version between the decision and the call."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from svc import SvcError, Toolkit, Tools
from svc.agent.turns.turn_tools import TurnTools
from svc.ai.agent_tool import AgentTool, agent_tools
from svc.testing import LocalService
from tests.support.keys import create_key
from tests.support.running import serving

FORCED = {"list": {"type": "string"}, "force": {"type": "boolean"}}
DESTRUCTIVE = {"annotations": {"destructive": True}}


@dataclass
class Stage:
    """A toolkit whose action changes, and an agent."""

    service: LocalService
    name: str
    key: str
    tools: Tools
    erased: list[Any] = field(default_factory=list)

    @property
    def action(self) -> str:
        return f"{self.name}__erase"

    @property
    def arguments(self) -> dict[str, Any]:
        return {"action": self.action, "payload": {"list": "a"}}

    @property
    def tool(self) -> AgentTool:
        return agent_tools(self.tools)[1]

    @asynccontextmanager
    async def registered(self, payload: Any = None, **options: Any) -> AsyncIterator[None]:
        """Registers another version of the action from another process, until the end of the block."""
        toolkit = Toolkit(self.key, base_url=self.service.url)

        @toolkit.action(
            action="erase",
            action_description="Erases a list",
            payload_description=payload or {"list": {"type": "string"}},
            **options,
        )
        def erase(ctx: Any, wish: dict[str, Any]) -> str:
            self.erased.append(wish)
            return "erased"

        async with serving(toolkit):
            yield


@asynccontextmanager
async def stage(service: LocalService, name: str) -> AsyncIterator[Stage]:
    agent = create_key(service, "agent", "agent", budget=True)
    async with Tools(agent, base_url=service.url) as tools:
        yield Stage(service, name, create_key(service, "toolkit", name), tools)


async def test_a_destructive_action_that_is_online_only_after_the_decision_does_not_run(service: LocalService) -> None:
    async with stage(service, "late") as at:
        assert not await at.tool.needs_approval(at.arguments, tool_call_id="call_1")
        decision = await at.tool.decide(at.arguments)
        assert (decision.needed, decision.call_options.get("action_version")) == (None, "none")
        async with at.registered(**DESTRUCTIVE):
            remembered = await at.tool.answer(at.arguments, tool_call_id="call_1")
            passed_on = await at.tool.answer(at.arguments, **decision.call_options)
            for answer in (remembered, passed_on):
                assert json.loads(answer.content)["error"]["code"] == "ACTION_CHANGED"
            assert await at.tool.needs_approval(at.arguments, tool_call_id="call_2")
        assert at.erased == []


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("harmless", {}, DESTRUCTIVE),
        ("approved", DESTRUCTIVE, {**DESTRUCTIVE, "payload": FORCED}),
        ("dearer", {**DESTRUCTIVE, "payment": {"amount": "0.01"}}, {**DESTRUCTIVE, "payment": {"amount": "0.02"}}),
    ],
)
async def test_an_action_that_changes_after_the_decision_does_not_run(
    service: LocalService, name: str, before: Any, after: Any
) -> None:
    async with stage(service, name) as at:
        async with at.registered(**before):
            await at.tool.needs_approval(at.arguments, tool_call_id="call_1")
        async with at.registered(**after):
            answer = await at.tool.answer(at.arguments, tool_call_id="call_1")
        expected = "PAYMENT_REQUIRED" if "payment" in after else "ACTION_CHANGED"
        assert answer.error is not None
        assert (answer.error.code, at.erased) == (expected, [])


async def test_an_action_that_changed_and_still_needs_no_approval_runs(service: LocalService) -> None:
    async with stage(service, "reworded") as at:
        async with at.registered():
            await at.tool.needs_approval(at.arguments, tool_call_id="call_1")
        async with at.registered(FORCED):
            answer = await at.tool.answer(at.arguments, tool_call_id="call_1")
        assert (answer.content, at.erased) == ("erased", [{"list": "a"}])


async def test_a_call_of_the_agent_runs_only_the_decided_version(service: LocalService) -> None:
    async with stage(service, "chatty") as at:
        turn = TurnTools(at.tools, None)
        function = {"name": "invoke_service", "arguments": json.dumps(at.arguments)}
        call = {"id": "call_1", "type": "function", "function": function}
        refused = await turn.decide(call)
        assert refused is not None
        async with at.registered(**DESTRUCTIVE):
            message = await turn.answer(call, idempotency_key="turn/0/0", limits=refused.call_options)
            assert isinstance(message, dict)
            assert "ACTION_CHANGED" in message["content"]
            asked = await turn.decide(call)
            assert asked is not None
            assert asked.needed is not None
            approved = await turn.answer(call, idempotency_key="turn/1/0", limits=asked.call_options)
            assert isinstance(approved, dict)
        assert (approved["content"], at.erased) == ("erased", [{"list": "a"}])


async def test_the_client_passes_a_version_on_and_a_refused_resolve_gets_a_kept_outcome(service: LocalService) -> None:
    async with stage(service, "plain") as at:
        async with at.registered():
            version = (await at.tools.resolve(at.action, {"list": "a"})).get("version")
            first = await at.tools.invoke(at.action, {"list": "a"}, idempotency_key="one", action_version=version)
        async with at.registered(**DESTRUCTIVE):
            for stale in (version, "none"):
                kept = await at.tools.invoke(at.action, {"list": "a"}, idempotency_key="one", action_version=stale)
                assert kept == {**first, "replayed": True}
                with pytest.raises(SvcError) as refused:
                    await at.tools.call_tool(at.action, {"list": "a"}, action_version=stale)
                assert refused.value.code == "ACTION_CHANGED"
        with pytest.raises(SvcError, match="action_version must be"):
            await at.tools.invoke(at.action, action_version="of yesterday")
        assert at.erased == [{"list": "a"}]
