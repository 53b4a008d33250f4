"""Calls that a person has to approve, on the real service."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from svc import ActionContext, SvcError, Toolkit, Tools
from svc.testing import LocalService
from svc.tools import ApprovalQuestion
from tests.support.keys import admin_request, create_key
from tests.support.running import serving
from tests.support.waiting import PATIENCE, until
from tests.support.wire_server import Received, Reply, wire_server


class Shop:
    """A toolkit, and an agent key with a rule."""

    def __init__(self, service: LocalService, name: str, decided_by: str) -> None:
        self._service = service
        self.action = f"{name}__refund"
        self.key = create_key(
            service, "agent", name, rules=[{"match": {"action": self.action}, "do": "ask", "decidedBy": decided_by}]
        )
        self.refunded: list[Any] = []

    def tools(self, **options: Any) -> Tools:
        return Tools(self.key, base_url=self._service.url, **options)

    def pending(self) -> list[dict[str, Any]]:
        found = admin_request(self._service, "GET", "/v1/approvals?status=pending")["approvals"]
        ids = [each["id"] for each in found if each["action"] == self.action]
        return [admin_request(self._service, "GET", f"/v1/approvals/{each}") for each in ids]

    def decide(self, approval_id: str, decision: str, **more: str) -> Any:
        return admin_request(self._service, "POST", f"/v1/approvals/{approval_id}", {"decision": decision, **more})


@asynccontextmanager
async def shop(service: LocalService, name: str, decided_by: str = "people") -> AsyncIterator[Shop]:
    toolkit = Toolkit(create_key(service, "toolkit", name), base_url=service.url)
    opened = Shop(service, name, decided_by)

    @toolkit.action(
        action="refund",
        action_description="Gives the money of an order back",
        payload_description={"order": {"type": "number"}},
    )
    async def refund(ctx: ActionContext, payload: Any) -> str:
        opened.refunded.append(payload["order"])
        return f"refunded {payload['order']}"

    async with serving(toolkit):
        yield opened


def call_of(action: str, order: int) -> list[dict[str, Any]]:
    arguments = json.dumps({"action": action, "payload": {"order": order}})
    return [{"id": f"call_{order}", "type": "function", "function": {"name": "invoke_service", "arguments": arguments}}]


async def test_a_model_reads_that_a_person_decides_and_the_same_call_gets_the_result(service: LocalService) -> None:
    async with shop(service, "asked") as at, at.tools() as tools:
        (first,) = await tools.call_tools(call_of(at.action, 7))
        error = json.loads(first["content"])["error"]
        assert error["code"] == "APPROVAL_REQUIRED"
        assert error["message"].startswith("A person has to approve this call first. Tell the user")
        (question,) = at.pending()
        assert (question["id"], question["payload"]) == (error["approval"]["id"], {"order": 7})
        assert at.refunded == []
        at.decide(question["id"], "approve")
        (second,) = await tools.call_tools(call_of(at.action, 7))
        assert (second["content"], at.refunded) == ("refunded 7", [7])
        found = await tools.result(question["id"], wait=30)
        assert "result" in found
        assert found["result"] == "refunded 7"


async def test_a_call_waits_for_the_decision(service: LocalService) -> None:
    async with shop(service, "waited") as at, at.tools(approvals="wait") as tools:
        approved, denied = (asyncio.create_task(tools.invoke(at.action, {"order": order})) for order in (1, 2))
        await until(lambda: len(at.pending()) == 2)
        for question in at.pending():
            is_first = question["payload"] == {"order": 1}
            at.decide(question["id"], *(["approve"] if is_first else ["deny"]), reason="as the plan says")
        assert (await approved)["result"] == "refunded 1"
        with pytest.raises(SvcError, match="as the plan says") as refused:
            await denied
        assert (refused.value.code, at.refunded) == ("APPROVAL_DENIED", [1])


async def test_without_a_decision_in_time_the_question_stays(service: LocalService) -> None:
    async with shop(service, "patient") as at, at.tools(approvals="wait", timeout=0.9) as tools:
        with pytest.raises(SvcError) as refused:
            await tools.invoke(at.action, {"order": 3})
        assert refused.value.code == "APPROVAL_REQUIRED"
        assert [each["id"] for each in at.pending()] == [refused.value.details["approval"]["id"]]


async def test_a_service_that_does_not_answer_ends_the_wait_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("svc.tools.http_client._GRACE", 0.05)
    monkeypatch.setattr("svc.tools.caller_approvals.time", SimpleNamespace(monotonic=lambda: now))
    approval = {"id": "apr_1", "status": "pending", "decidedBy": "people", "expiresAt": "2027-01-01T00:00:00Z"}

    def answer(received: Received) -> Reply:
        nonlocal now
        if received.method == "GET":
            now += 1
            return Reply(silent=True)
        return Reply(403, {"code": "APPROVAL_REQUIRED", "detail": "A rule asks", "approval": approval})

    async with wire_server(answer) as server, Tools("svc_agent_x", base_url=server.url, approvals="wait") as tools:
        with pytest.raises(SvcError) as refused:
            await asyncio.wait_for(tools.invoke("shop__refund", {}, timeout=1), PATIENCE)
    assert refused.value.code == "APPROVAL_REQUIRED"
    assert [each.method for each in server.received] == ["POST", "GET"]


async def test_an_application_asks_its_own_user(service: LocalService) -> None:
    asked: list[ApprovalQuestion] = []

    async def ask(question: ApprovalQuestion) -> Any:
        asked.append(question)
        return "approve" if question["payload"]["order"] == 1 else {"decision": "deny", "reason": "not today"}

    async with shop(service, "own", "app") as at, at.tools(user_id="ann", on_approval_required=ask) as tools:
        answers = await tools.call_tools([*call_of(at.action, 1), *call_of(at.action, 2)])
        assert answers[0]["content"] == "refunded 1"
        assert json.loads(answers[1]["content"])["error"]["code"] == "APPROVAL_DENIED"
        assert "not today" in answers[1]["content"]
    assert at.refunded == [1]
    assert sorted((each["action"], each["payload"]["order"], each["userId"]) for each in asked) == [
        (at.action, 1, "ann"),
        (at.action, 2, "ann"),
    ]


async def test_an_application_decides_only_where_a_rule_lets_it(service: LocalService) -> None:
    async with shop(service, "others") as at, at.tools() as tools:
        with pytest.raises(SvcError) as required:
            await tools.invoke(at.action, {"order": 4})
        with pytest.raises(SvcError) as refused:
            await tools.decide_approval(required.value.details["approval"]["id"], "approve")
        assert (refused.value.status, at.refunded) == (403, [])


async def test_an_application_that_fails_answers_the_call_and_the_model_reads_neither_the_reason_nor_the_link(
    service: LocalService,
) -> None:
    async def ask(question: ApprovalQuestion) -> Any:
        raise RuntimeError("The inbox of ada@example.com is full")

    async with shop(service, "failing", "app") as at, at.tools(on_approval_required=ask) as tools:
        [answer] = await tools.call_tools(call_of(at.action, 5))
    assert json.loads(answer["content"])["error"] == {
        "code": "APPROVAL_REQUIRED",
        "message": (
            "A person has to approve this call first, and the application could not ask: on_approval_required failed"
        ),
        "retryable": False,
    }
