"""A human approves one version of an action: no other version runs, whatever a toolkit registers in between."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from svc import SvcError, Toolkit, Tools
from svc.agent.turns.turn_tools import TurnTools
from svc.ai.agent_tool import AgentTool, ApprovedCall, agent_tools
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


async def test_an_approved_call_runs_and_another_one_is_asked_about(service: LocalService) -> None:
    async with stage(service, "twice") as at, at.registered(**DESTRUCTIVE):
        decision = await at.tool.decide(at.arguments)
        assert decision.needed is not None
        assert decision.needed["payload"] == {"list": "a"}
        unapproved = await at.tool.answer(at.arguments)
        assert unapproved.error is not None
        assert (unapproved.error.code, at.erased) == ("APPROVAL_REQUIRED", [])
        answer = await at.tool.answer(at.arguments, **decision.call_options)
        assert (answer.content, at.erased) == ("erased", [{"list": "a"}])
        assert await at.tool.needs_approval(at.arguments)


async def test_a_destructive_action_that_is_online_only_after_the_decision_does_not_run(service: LocalService) -> None:
    async with stage(service, "late") as at:
        decision = await at.tool.decide(at.arguments)
        assert (decision.needed, decision.call_options) == (None, {})
        async with at.registered(**DESTRUCTIVE):
            answer = await at.tool.answer(at.arguments)
            assert json.loads(answer.content)["error"]["code"] == "APPROVAL_REQUIRED"
            assert await at.tool.needs_approval(at.arguments)
        assert at.erased == []


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("harmless", {}, DESTRUCTIVE),
        ("approved", DESTRUCTIVE, {**DESTRUCTIVE, "payload": FORCED}),
        ("dearer", {**DESTRUCTIVE, "payment": {"amount": "0.01"}}, {**DESTRUCTIVE, "payment": {"amount": "0.02"}}),
    ],
)
@pytest.mark.parametrize("is_told", [True, False], ids=["with its version", "without"])
async def test_an_action_that_changes_after_the_decision_does_not_run(
    service: LocalService, name: str, before: Any, after: Any, is_told: bool
) -> None:
    async with stage(service, f"{name}-{'told' if is_told else 'asked'}") as at:
        async with at.registered(**before):
            decision = await at.tool.decide(at.arguments)
        async with at.registered(**after):
            options = decision.call_options if is_told else ApprovedCall(approved=decision.needed is not None)
            answer = await at.tool.answer(at.arguments, **options)
        assert answer.error is not None
        is_limit = is_told and "payment" in after
        expected = "PAYMENT_REQUIRED" if is_limit else "APPROVAL_REQUIRED"
        assert (answer.error.code, at.erased) == (expected, [])


async def test_an_action_that_changed_and_still_needs_no_approval_runs(service: LocalService) -> None:
    async with stage(service, "reworded") as at:
        async with at.registered():
            assert not await at.tool.needs_approval(at.arguments)
        async with at.registered(FORCED):
            answer = await at.tool.answer(at.arguments)
        assert (answer.content, at.erased) == ("erased", [{"list": "a"}])


async def test_a_function_decides_about_the_call_that_runs(service: LocalService) -> None:
    async with stage(service, "chosen") as at, at.registered():
        (_, tool) = agent_tools(at.tools, needs_approval=lambda action, payload, info: payload["list"] == "a")
        refused = await tool.answer(at.arguments)
        assert refused.error is not None
        assert refused.error.code == "APPROVAL_REQUIRED"
        other = {**at.arguments, "payload": {"list": "b"}}
        assert ((await tool.answer(other)).content, at.erased) == ("erased", [{"list": "b"}])
        decision = await tool.decide(at.arguments)
        assert ((await tool.answer(at.arguments, **decision.call_options)).content, at.erased[1:]) == (
            "erased",
            [{"list": "a"}],
        )


async def test_a_call_of_the_agent_runs_only_the_decided_version(service: LocalService) -> None:
    async with stage(service, "chatty") as at:
        turn = TurnTools(at.tools)
        function = {"name": "invoke_service", "arguments": json.dumps(at.arguments)}
        call = {"id": "call_1", "type": "function", "function": function}
        refused = await turn.decide(call)
        assert refused is not None
        async with at.registered(**DESTRUCTIVE):
            message = await turn.answer(call, idempotency_key="turn/0/0", options=refused.call_options)
            assert isinstance(message, dict)
            assert "APPROVAL_REQUIRED" in message["content"]
            asked = await turn.decide(call)
            assert asked is not None
            assert asked.needed is not None
            approved = await turn.answer(call, idempotency_key="turn/1/0", options=asked.call_options)
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
