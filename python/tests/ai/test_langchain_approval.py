"""Approval by ``interrupt()``, for every way in which a graph runs its tools. Every step has new tools, like a separate
process."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallWithContext
from langgraph.types import Command, Send

from svc import SvcError, Tools
from svc.ai.langchain import approval, svc_tools
from svc.ai.langchain.graph_task import Asked, GraphTask
from svc.protocol.http import ResolveResponse
from tests.ai.stage import Stage

Build = Callable[[list[BaseTool]], Any]


def one_task(tools: list[BaseTool]) -> Any:
    """Like ``create_react_agent`` of version 1 and most custom graphs."""
    return StateGraph(MessagesState).add_node("tools", ToolNode(tools)).add_edge(START, "tools")


def task_per_call(tools: list[BaseTool]) -> Any:
    """Like ``create_agent``."""

    def send(state: MessagesState) -> list[Send]:
        calling = state["messages"][-1]
        assert isinstance(calling, AIMessage)
        return [
            Send("tools", ToolCallWithContext(__type="tool_call_with_context", tool_call=call, state=state))
            for call in calling.tool_calls
        ]

    return StateGraph(MessagesState).add_node("tools", ToolNode(tools)).add_conditional_edges(START, send, ["tools"])


def in_graph(tools: list[BaseTool]) -> Any:
    """Like a team of agents."""
    return StateGraph(MessagesState).add_node("agent", task_per_call(tools).compile()).add_edge(START, "agent")


@dataclass
class Thread:
    """One thread of a graph."""

    build: Build
    client: Tools
    blocking: bool = False
    saver: Any = field(default_factory=InMemorySaver)
    options: dict[str, Any] = field(default_factory=dict)
    others: list[BaseTool] = field(default_factory=list)
    told: dict[str, tuple[str, Any]] = field(default_factory=dict)
    waiting: list[Any] = field(default_factory=list)

    async def call(self, **calls: dict[str, Any]) -> None:
        """Arguments of ``invoke_service`` by call id."""
        await self.say([{"id": each, "name": "invoke_service", "args": args} for each, args in calls.items()])

    async def say(self, tool_calls: list[dict[str, Any]]) -> None:
        await self._step({"messages": [AIMessage(content="", tool_calls=tool_calls)]})

    async def resume(self, answer: Any) -> None:
        await self._step(Command(resume=answer))

    async def decide(self, **decisions: Any) -> None:
        """Decides about these calls if the graph interrupts for them."""
        answers = {
            question.id: {
                "decisions": [
                    decisions[each["tool_call_id"]]
                    for each in question.value["action_requests"]
                    if each["tool_call_id"] in decisions
                ]
            }
            for question in self.waiting
        }
        await self.resume({each: answer for each, answer in answers.items() if answer["decisions"]})

    @property
    def questions(self) -> list[Any]:
        return [request for question in self.waiting for request in question.value["action_requests"]]

    async def _step(self, step: Any) -> None:
        tools = [*self.others, *svc_tools(self.client, **self.options)]
        graph = self.build(tools).compile(checkpointer=self.saver)
        config = {"configurable": {"thread_id": "thread"}}
        if self.blocking:
            state = await asyncio.to_thread(graph.invoke, step, config)
        else:
            state = await graph.ainvoke(step, config)
        self.waiting = list(graph.get_state(config).interrupts) if self.saver else []
        self.told = {
            message.tool_call_id: (message.status, message.content)
            for message in state["messages"]
            if isinstance(message, ToolMessage)
        }


def erase(name: str) -> dict[str, Any]:
    return {"action": "probe__erase", "payload": {"name": name}}


COUNT = {"action": "probe__count", "payload": {}}
BUY = {"action": "shop__buy", "payload": {"thing": "hat"}}
APPROVE = {"type": "approve"}

every_build = pytest.mark.parametrize("build", [one_task, task_per_call, in_graph])


@every_build
@pytest.mark.parametrize("blocking", [False, True], ids=["asynchronous", "blocking"])
async def test_a_human_approves_changes_or_declines_a_call(build: Build, blocking: bool, stage: Stage) -> None:
    thread = Thread(build, stage.tools, blocking)
    await thread.call(a={"action": "probe__erase", "payload": '{"name": "a"}'}, b=erase("b"), c=erase("c"))
    assert stage.erased == []
    seen: dict[str, Any] = {}
    # A nested graph shows the questions of its tasks one after the other.
    while thread.questions:
        seen |= {each["tool_call_id"]: each for each in thread.questions}
        await thread.decide(
            a=APPROVE,
            b={"type": "edit", "edited_action": {"name": "probe__erase", "args": {"name": "z"}}},
            c={"type": "reject", "message": "Keep that one."},
        )
    version = (await stage.tools.resolve("probe__erase", {"name": "a"})).get("version")
    assert seen == {
        name: {
            "name": "probe__erase",
            "args": {"name": name},
            "description": f'Erases a file for ever\nprobe__erase {{"name":"{name}"}}',
            "tool_call_id": name,
            "version": version,
        }
        for name in ("a", "b", "c")
    }
    assert sorted(stage.erased) == ["a", "z"]
    assert thread.told == {
        "a": ("success", '{"erased":"a"}'),
        "b": ("success", '{"erased":"z"}'),
        "c": ("error", "Keep that one."),
    }


@every_build
async def test_no_call_runs_twice_with_or_without_a_question(build: Build, stage: Stage) -> None:
    thread = Thread(build, stage.tools)
    first = await stage.tools.invoke("probe__count")
    await thread.call(call_9fKq2LmZ7xTbQw3RtYuIoP1b=COUNT, call_1=erase("a"), call_2=erase("b"))
    while thread.questions:
        await thread.decide(call_1=APPROVE, call_2=APPROVE)
    assert sorted(stage.erased) == ["a", "b"]
    last = await stage.tools.invoke("probe__count")
    assert last["result"]["count"] - first["result"]["count"] == 2


@every_build
async def test_the_price_in_the_question_is_the_most_that_the_call_costs(build: Build, stage: Stage) -> None:
    thread = Thread(build, stage.shop_tools(), options={"ask_above": "0.01"})
    await thread.call(a=BUY)
    (question,) = thread.questions
    assert question["description"] == (
        'Buys a thing in the shop. Costs up to 0.05 USD a call.\nshop__buy {"thing":"hat"}, for 0.05 USD'
    )
    assert question["payment"] == {"amount": "0.05", "currency": "USD"}
    stage.reprice("0.06")
    try:
        await thread.decide(a=APPROVE)
    finally:
        stage.reprice("0.05")
    status, content = thread.told["a"]
    assert status == "error"
    assert "PAYMENT_REQUIRED" in content
    assert stage.bought == []


@every_build
async def test_a_declined_call_does_not_run_although_it_needs_no_approval_any_more(build: Build, stage: Stage) -> None:
    thread = Thread(build, stage.tools)
    await thread.call(a=erase("a"))
    thread.options = {"needs_approval": False}
    await thread.decide(a={"type": "reject"})
    assert stage.erased == []
    assert thread.told == {"a": ("error", "Declined by a human")}


@every_build
@pytest.mark.parametrize(
    "answer",
    [
        True,
        {"decisions": []},
        {"decisions": [{"type": "sure"}]},
        {"decisions": [{"type": "edit", "edited_action": {"name": "probe__count", "args": {}}}]},
        {"decisions": [{"type": "edit", "edited_action": {"name": "probe__erase"}}]},
    ],
    ids=["something else", "too few", "unknown", "another action", "no arguments"],
)
async def test_an_answer_that_is_not_an_approval_runs_nothing_and_the_model_gets_the_error(
    build: Build, answer: Any, stage: Stage
) -> None:
    thread = Thread(build, stage.tools)
    await thread.call(a=erase("a"))
    await thread.resume(answer)
    assert stage.erased == []
    status, content = thread.told["a"]
    assert status == "error"
    assert "INVALID_REQUEST" in content


@every_build
async def test_without_a_checkpointer_no_call_that_needs_approval_runs(build: Build, stage: Stage) -> None:
    thread = Thread(build, stage.tools, saver=None)
    await thread.call(a=erase("a"), b=COUNT)
    assert stage.erased == []
    assert "checkpointer" in thread.told["a"][1]
    assert thread.told["b"][0] == "success"


@every_build
async def test_a_call_that_the_service_cannot_resolve_does_not_run(build: Build, stage: Stage) -> None:
    class Unlucky(Tools):
        """The first question to the service gets no answer."""

        lost = 1

        async def resolve(self, name: str, arguments: Any, **options: Any) -> ResolveResponse:
            if self.lost:
                self.lost -= 1
                raise SvcError("SERVICE_UNREACHABLE", "No answer")
            return await super().resolve(name, arguments, **options)

    thread = Thread(build, Unlucky(**stage.connection))
    await thread.call(a=erase("a"))
    assert stage.erased == []
    status, content = thread.told["a"]
    assert status == "error"
    assert "SERVICE_UNREACHABLE" in content


async def test_no_call_of_a_task_runs_before_all_its_calls_are_decided(stage: Stage) -> None:
    thread = Thread(one_task, stage.shop_tools())
    await thread.call(call_0=BUY, call_1=erase("a"))
    assert stage.bought == []
    await thread.decide(call_1=APPROVE)
    assert (stage.bought, stage.erased) == (["hat"], ["a"])


@pytest.mark.parametrize("task_id", ["b3d1f7a0-4c62-5e19-8f04-d7a9e2c5061b", "00000000-8a1b-5c9d-9e3f-0a6b4c2d8e7f"])
async def test_an_approved_call_runs_once_in_all_runs_of_its_task_also_when_its_uuid_does_not_look_random(
    task_id: str, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = (await stage.tools.resolve("invoke_service", erase("a"))).get("version")
    asked = {"name": "probe__erase", "args": {"name": "a"}, "tool_call_id": "a", "version": version}
    question = {"action_requests": [asked]}

    async def answered() -> Asked:
        return Asked(question, is_ambiguous=False)

    monkeypatch.setattr(approval, "graph_task", lambda *_, **__: GraphTask(task_id, object(), [], answered))
    monkeypatch.setattr(approval, "_interrupt", lambda _: {"decisions": [APPROVE]})
    for _ in range(2):
        _, invoke_service = svc_tools(stage.tools)
        call = {"type": "tool_call", "id": "a", "name": "invoke_service", "args": erase("a")}
        assert (await invoke_service.ainvoke(call)).status == "success"
    assert stage.erased == ["a"]


async def test_two_calls_of_one_task_with_the_same_id_do_not_run(stage: Stage) -> None:
    thread = Thread(one_task, stage.tools)
    await thread.say([{"id": "a", "name": "invoke_service", "args": erase(name)} for name in ("a", "b")])
    assert stage.erased == []
    assert "unique call ids" in thread.told["a"][1]


async def test_outside_of_a_graph_a_call_of_a_model_is_answered_and_a_call_of_a_program_fails(stage: Stage) -> None:
    _, invoke_service = svc_tools(stage.tools)
    told = await invoke_service.ainvoke({"type": "tool_call", "id": "a", "name": "invoke_service", "args": erase("a")})
    assert told.status == "error"
    assert "needs_approval=False" in told.content
    with pytest.raises(SvcError) as raised:
        await invoke_service.ainvoke(erase("a"))
    assert raised.value.code == "INVALID_REQUEST"
    assert stage.erased == []


async def test_a_program_gets_the_result_also_where_it_blocks(stage: Stage) -> None:
    _, invoke_service = svc_tools(stage.tools)
    call = {"action": "weather__today", "payload": {"city": "Rome"}}
    assert await invoke_service.ainvoke(call) == '{"city":"Rome","celsius":21}'
    assert await asyncio.to_thread(invoke_service.invoke, call) == '{"city":"Rome","celsius":21}'
