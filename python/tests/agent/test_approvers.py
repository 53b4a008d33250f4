"""Questions of the real service in chats of approvers, with buttons."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from svc import ActionContext, SvcError, Toolkit, Tools
from svc.agent import Agent, ApprovalsErrorEvent, ApproverChat, Approvers, ReplyErrorEvent
from svc.client.base import Answer, MessageContext, Question, RefusedReply
from svc.protocol.http import InvokeResponse
from svc.testing import LocalService
from tests.agent.agents import TestedAgent
from tests.agent.pipe_client import PipeClient
from tests.agent.running import serving as serving_agent
from tests.support.keys import admin_request, create_key
from tests.support.running import serving
from tests.support.waiting import until

BOSS = ApproverChat(client="pipe", chat_id="boss", users=["ada"])


class ButtonClient(PipeClient):
    """A client whose platform has buttons for questions."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Question] = []
        self.ended: list[tuple[object, str]] = []
        self.refuses_to_end = False

    async def ask_approval(self, ctx: MessageContext, question: Question) -> object:
        assert ctx.message_id == f"approval/{question.id}"
        self.asked.append(question)
        return {"id": f"question-{len(self.asked)}"}

    async def end_question(self, ctx: MessageContext, shown: object, text: str) -> None:
        if self.refuses_to_end:
            raise RefusedReply("The message is gone")
        self.ended.append((shown, text))

    def press(self, question: Question, approved: bool, user_id: str = "ada", chat_id: str = "boss") -> None:
        answer = Answer(question.id, approved)
        self.say("", chat_id=chat_id, user_id=user_id, user_name=user_id.title(), answer=answer)


@dataclass
class Orders:
    """A toolkit that deletes orders, whose calls people decide about."""

    service: LocalService
    name: str
    key_id: str
    tools: Tools
    admin_key: str
    store: Path
    deleted: list[int] = field(default_factory=list)

    def agent(self, client: PipeClient, *, keys: Sequence[str] | None = (), **options: Any) -> TestedAgent:
        """The service is that of other tests too: by default the agent shows the questions of this key alone."""
        shown = [self.key_id] if keys == () else keys
        approvers = Approvers(api_key=self.admin_key, chats=[BOSS], keys=shown, poll_seconds=0.02)
        return TestedAgent(client, base_url=self.service.url, store=self.store, approvals=approvers, **options)

    async def delete(self, **payload: Any) -> InvokeResponse | SvcError:
        try:
            return await self.tools.invoke(f"{self.name}__delete", {"id": 7, **payload})
        except SvcError as error:
            return error

    def questions(self) -> list[Any]:
        found = admin_request(self.service, "GET", "/v1/approvals")["approvals"]
        return [each for each in found if each["action"] == f"{self.name}__delete"]

    def status(self) -> str:
        return str(self.questions()[0]["status"])

    def decide(self, decision: str) -> None:
        admin_request(self.service, "POST", f"/v1/approvals/{self.questions()[0]['id']}", {"decision": decision})


Start = Callable[..., Any]


@pytest.fixture
def start_orders(service: LocalService, tmp_path: Path) -> Start:
    return partial(_orders, service, tmp_path / "agent.db")


@asynccontextmanager
async def _orders(service: LocalService, store: Path, name: str, decided_by: str = "people") -> AsyncIterator[Orders]:
    toolkit = Toolkit(create_key(service, "toolkit", name), base_url=service.url)
    rule = {"match": {"action": f"{name}__delete"}, "do": "ask", "decidedBy": decided_by}
    key = admin_request(service, "POST", "/v1/keys", {"kind": "agent", "name": f"{name} agent", "rules": [rule]})
    admin = admin_request(service, "POST", "/v1/keys", {"kind": "admin", "name": "Grace"})["key"]
    async with Tools(key["key"], base_url=service.url) as tools:
        orders = Orders(service, name, key["id"], tools, admin, store)

        @toolkit.action(
            action="delete",
            action_description="Deletes an order",
            payload_description={"id": {"type": "integer", "required": True}, "note": "string"},
        )
        def delete(ctx: ActionContext, payload: dict[str, Any]) -> str:
            orders.deleted.append(payload["id"])
            return f"deleted {payload['id']}"

        async with serving(toolkit):
            yield orders


async def test_the_whole_call_is_shown_with_buttons_and_a_yes_of_a_listed_person_runs_it(start_orders: Start) -> None:
    client = ButtonClient()
    async with start_orders("yes-orders") as orders, serving_agent(orders.agent(client, keys=None)):
        await orders.delete()
        question = await until(lambda: next((each for each in client.asked if "yes-orders" in each.text), None))
        head, call = question.text.split("\n\n")
        assert head.startswith('May "yes-orders agent" run this?\nUntil ')
        assert call == 'yes-orders__delete {"id":7}'
        client.press(question, True)
        await until(lambda: client.ended)
        assert [text for _, text in client.ended] == [f"{question.text}\nApproved by Grace."]
        answer = await orders.delete()
        assert not isinstance(answer, SvcError)
        assert answer["result"] == "deleted 7"
    assert orders.deleted == [7]


async def test_a_no_refuses_the_call_with_the_name_of_the_person_as_its_reason(start_orders: Start) -> None:
    client = ButtonClient()
    async with start_orders("no-orders") as orders, serving_agent(orders.agent(client)):
        await orders.delete()
        await until(lambda: client.asked)
        client.press(client.asked[0], False)
        await until(lambda: client.ended)
        assert client.ended[0][1].endswith("\nDenied by Grace.")
        refusal = await orders.delete()
        assert isinstance(refusal, SvcError)
        assert refusal.code == "APPROVAL_DENIED"
        assert refusal.details["approval"]["reason"] == "Denied in a chat by Ada"
    assert orders.deleted == []


async def test_a_press_of_another_person_or_in_another_chat_decides_nothing(start_orders: Start) -> None:
    client = ButtonClient()
    async with start_orders("eve-orders") as orders, serving_agent(orders.agent(client)):
        await orders.delete()
        await until(lambda: client.asked)
        client.press(client.asked[0], True, user_id="eve")
        client.press(client.asked[0], True, chat_id="other")
        client.say("hi")
        await until(lambda: client.texts == ["You: hi"])
        assert orders.status() == "pending"


async def test_an_owner_of_the_agent_may_press(start_orders: Start) -> None:
    client = ButtonClient()
    async with start_orders("owner-orders") as orders, serving_agent(orders.agent(client, owners=["pipe/boss"])):
        await orders.delete()
        await until(lambda: client.asked)
        client.press(client.asked[0], True, user_id="boss")
        await until(lambda: orders.status() != "pending")


async def test_a_question_that_is_decided_elsewhere_loses_its_buttons_also_after_a_restart(
    start_orders: Start,
) -> None:
    client = ButtonClient()
    async with start_orders("elsewhere-orders") as orders:
        async with serving_agent(orders.agent(client)):
            await orders.delete()
            await until(lambda: client.asked)
        orders.decide("deny")
        async with serving_agent(orders.agent(client)):
            await until(lambda: client.ended)
    assert client.ended == [({"id": "question-1"}, f"{client.asked[0].text}\nDenied by tests.")]
    assert len(client.asked) == 1


async def test_buttons_that_the_platform_cannot_take_away_are_reported_once(start_orders: Start) -> None:
    client = ButtonClient()
    client.refuses_to_end = True
    async with start_orders("gone-orders") as orders:
        agent = orders.agent(client)
        async with serving_agent(agent):
            await orders.delete()
            await until(lambda: client.asked)
            client.press(client.asked[0], True)
            await until(lambda: agent.kinds("reply-error"))
            client.say("hi")
            await until(lambda: client.texts == ["You: hi"])
        (event,) = agent.kinds("reply-error")
    assert isinstance(event, ReplyErrorEvent)
    assert (event.chat_id, event.turn_id) == ("boss", client.asked[0].id)


@pytest.mark.parametrize(("decided_by", "keys"), [("app", None), ("people", ["key_other"])], ids=["app", "other-key"])
async def test_questions_of_apps_and_of_other_keys_are_not_shown(
    start_orders: Start, decided_by: str, keys: list[str] | None
) -> None:
    client = ButtonClient()
    async with start_orders(f"hidden-{decided_by}", decided_by) as orders:
        await orders.delete()
        async with serving_agent(orders.agent(client, keys=keys or ())):
            client.say("hi")
            await until(lambda: client.texts == ["You: hi"])
    assert client.asked == []


async def test_a_call_that_is_too_long_for_a_chat_has_no_buttons_and_says_where_to_decide(start_orders: Start) -> None:
    client = ButtonClient()
    async with start_orders("long-orders") as orders, serving_agent(orders.agent(client)):
        await orders.delete(note="x" * 30_000)
        await until(lambda: client.texts)
    assert "\n\nlong-orders__delete\nThe payload has 300" in client.texts[0]
    assert (
        "characters, too many for a chat. Decide in the console, or with: svc-sdk approvals show apr_"
        in client.texts[0]
    )
    assert client.asked == []


async def test_an_admin_key_that_the_service_refuses_is_reported_once(service: LocalService) -> None:
    client = ButtonClient()
    approvers = Approvers(api_key=f"svc_admin_{'x' * 43}", chats=[BOSS], poll_seconds=0.005)
    agent = TestedAgent(client, base_url=service.url, approvals=approvers)
    async with serving_agent(agent):
        await until(lambda: agent.kinds("approvals-error"))
        for count, text in enumerate(("one", "two"), 1):
            client.say(text)
            await until(lambda: len(client.texts) == count)  # noqa: B023 (awaited in the loop)
    (event,) = agent.kinds("approvals-error")
    assert isinstance(event, ApprovalsErrorEvent)
    assert isinstance(event.error, SvcError)
    assert event.error.code == "INVALID_KEY"


async def test_a_client_that_never_answers_does_not_hold_the_end_of_the_agent(start_orders: Start) -> None:
    class HangingClient(ButtonClient):
        async def ask_approval(self, ctx: MessageContext, question: Question) -> object:
            self.asked.append(question)
            return await asyncio.Event().wait()

    client = HangingClient()
    async with start_orders("hanging-orders") as orders, serving_agent(orders.agent(client)):
        await orders.delete()
        await until(lambda: client.asked)


def test_approvals_without_an_admin_key_or_people_who_may_press_are_refused() -> None:
    boss = ApproverChat(client="pipe", chat_id="boss")
    with pytest.raises(SvcError, match="admin key"):
        Agent(approvals=Approvers(api_key="svc_agent_x", chats=[boss]))
    with pytest.raises(SvcError, match="Chat boss of pipe has no person who may decide"):
        Agent(approvals=Approvers(api_key="svc_admin_x", chats=[boss]))
    with pytest.raises(SvcError, match="poll_seconds must be"):
        Agent(approvals=Approvers(api_key="svc_admin_x", chats=[BOSS], poll_seconds=0))


def test_the_admin_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVC_ADMIN_API_KEY", "svc_admin_x")
    Agent(approvals=Approvers(chats=[BOSS]))
