"""Calls that a person has to approve, for clients of MCP, on the real service."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from svc import ActionContext, Toolkit
from svc.mcp.explained_tools import ExplainedTools
from svc.testing import LocalService
from tests.support.keys import admin_request, create_key
from tests.support.mcp_in_process import McpInProcess
from tests.support.mcp_process import STATELESS
from tests.support.running import serving
from tests.support.waiting import until

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"


class Client(McpInProcess):
    """A client of a shop."""

    def __init__(self, service: LocalService, tools: ExplainedTools, action: str) -> None:
        super().__init__(tools)
        self._service = service
        self._action = action

    async def refund(self, order: int, elicitation: Any = None, **params: Any) -> dict[str, Any]:
        """A call of revision 2026-07-28."""
        capabilities = {} if elicitation is None else {"elicitation": elicitation}
        arguments = {"action": self._action, "payload": {"order": order}}
        call = {"name": "invoke_service", "arguments": arguments, "_meta": {**STATELESS, CAPABILITIES: capabilities}}
        return await self.request("tools/call", {**call, **params})

    def pending(self) -> list[str]:
        found = admin_request(self._service, "GET", "/v1/approvals?status=pending")["approvals"]
        return [each["id"] for each in found if each["action"] == self._action]

    def approve(self) -> None:
        (approval,) = self.pending()
        admin_request(self._service, "POST", f"/v1/approvals/{approval}", {"decision": "approve"})


@asynccontextmanager
async def shop(service: LocalService, name: str, decided_by: str = "people") -> AsyncIterator[Client]:
    toolkit = Toolkit(create_key(service, "toolkit", name), base_url=service.url)
    toolkit.action(action="refund", action_description="Gives the money of an order back", payload_description={})(
        refund
    )
    rule = {"match": {"action": f"{name}__refund"}, "do": "ask", "decidedBy": decided_by}
    agent = create_key(service, "agent", name, rules=[rule])
    async with serving(toolkit), ExplainedTools(agent, base_url=service.url) as tools:
        yield Client(service, tools, f"{name}__refund")


def refund(ctx: ActionContext, payload: dict[str, Any]) -> str:
    return f"refunded {payload['order']}"


def text_of(answer: dict[str, Any]) -> str:
    return str(answer["result"]["content"][0]["text"])


@pytest.fixture
def _short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svc.mcp.answer_call.SILENT", 0)


@pytest.mark.usefixtures("_short_rounds")
async def test_a_client_calls_again_in_rounds_until_a_person_decides(service: LocalService) -> None:
    async with shop(service, "rounds") as client:
        first = (await client.refund(1))["result"]
        assert first["resultType"] == "input_required"
        assert "inputRequests" not in first
        second = (await client.refund(1, requestState=first["requestState"]))["result"]
        client.approve()
        third = await client.refund(1, requestState=second["requestState"])
        assert (text_of(third), third["result"]["resultType"]) == ("refunded 1", "complete")


@pytest.mark.usefixtures("_short_rounds")
async def test_the_state_of_another_call_is_refused(service: LocalService) -> None:
    async with shop(service, "forged") as client:
        state = (await client.refund(1))["result"]["requestState"]
        for order, sent in ((2, state), (1, "forged"), (1, 7)):
            assert (await client.refund(order, requestState=sent))["error"]["code"] == -32602


@pytest.mark.usefixtures("_short_rounds")
async def test_after_the_last_round_the_model_reads_the_next_step(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svc.mcp.answer_call._ROUNDS", 1)
    async with shop(service, "last") as client:
        state = (await client.refund(1))["result"]["requestState"]
        answer = await client.refund(1, requestState=state)
        assert answer["result"]["isError"] is True
        assert "make the same call again" in text_of(answer)


async def test_the_user_of_a_client_approves_where_a_rule_lets_the_application_decide(service: LocalService) -> None:
    async with shop(service, "form", "app") as client:
        asked = (await client.refund(1, {"form": {}}))["result"]
        question = asked["inputRequests"]["decide"]["params"]
        assert "form__refund" in question["message"]
        assert '{"order":1}' in question["message"]
        state = asked["requestState"]
        given = {"decide": {"action": "accept", "content": {"decision": "approve"}}}
        answer = await client.refund(1, {"form": {}}, requestState=state, inputResponses=given)
        assert text_of(answer) == "refunded 1"
        other = (await client.refund(2, {"form": {}}))["result"]["requestState"]
        refused = await client.refund(
            2, {"form": {}}, requestState=other, inputResponses={"decide": {"action": "decline"}}
        )
        assert json.loads(text_of(refused))["error"]["code"] == "APPROVAL_DENIED"


async def test_the_call_of_a_client_with_a_handshake_is_held_until_the_decision(service: LocalService) -> None:
    async with shop(service, "held") as client:
        await client.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}})
        arguments = {"action": "held__refund", "payload": {"order": 3}}
        call = asyncio.create_task(client.request("tools/call", {"name": "invoke_service", "arguments": arguments}))
        await until(client.pending)
        client.approve()
        assert text_of(await call) == "refunded 3"
