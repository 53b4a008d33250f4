"""Asks a human with LangGraph's ``interrupt()``.

LangGraph runs a task again from its top after an answer, and assigns answers by the order of questions. So one
question covers all calls of a task. An answer counts only for the calls that the checkpoint lists, and these calls run
as listed, even if the task now makes other ones.
"""

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from langchain_core.runnables import RunnableConfig

from svc.ai.agent_tool import AgentTool, ApprovedCall
from svc.ai.langchain.approval_request import ActionRequest, ApprovalRequest
from svc.ai.langchain.graph_task import Call, GraphTask, graph_task
from svc.errors import SvcError
from svc.protocol.http import ResolveResponse
from svc.tools import describe_action, describe_call

_NOBODY = "It needs approval: add a checkpointer and unique call ids, or needs_approval=False"
_NO_APPROVAL = "It did not run: resume with {interrupt.id: {'decisions': [{'type': …}]}}"
_STRAY = "It needs approval: the answer is about other calls"

#: The number of rounds that are kept. A task that ends before its calls, such as a cancelled one, leaves its round, so
#: the oldest round is removed.
_MAX_ROUNDS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """The call to run, or the answer for the model in place of a result."""

    arguments: object = None
    tool_call_id: str | None = None
    idempotency_key: str | None = None
    options: ApprovedCall = field(default_factory=ApprovedCall)
    declined: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """The decisions about the calls of one run of a task."""

    #: The answers to the question of the checkpoint.
    answered: Sequence[tuple[ActionRequest, object]] = ()
    #: Call id -> the call that a human has to approve, or the error of the decision. None: it needs no approval. A call
    #: that needs a human is here only if the answer is about other calls.
    decisions: Mapping[str | None, ResolveResponse | SvcError | None] = field(default_factory=dict)


@dataclass(slots=True)
class _Running:
    """A round, and the number of its calls that have not joined."""

    #: Kept alive, so that no other object gets its id.
    run: object
    round: "asyncio.Future[_Round]"
    waiting: int


class Approvals:
    """The approvals of the calls of some tools."""

    def __init__(self, tools: list[AgentTool]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        #: Rounds by the id of the run's object, which has no hash.
        self._running: dict[int, _Running] = {}

    async def approve(self, call: Call, config: RunnableConfig, *, blocking: bool) -> Approval:
        """The call to run.

        Args:
            config: of the tool.
            blocking: the graph runs in threads.

        Raises:
            SvcError: when the graph cannot ask a human, or the answer is not an approval.
            GraphInterrupt: to ask.
        """
        task = graph_task(config, blocking=blocking)
        twins = [each for each in task.calls if each.id == call.id] if task else []
        if task is None or len(twins) > 1:
            if await self._decide(call) is not None:
                raise _refusal(_NOBODY)
        else:
            round_ = await (self._shared_round(task) if twins else self._ask_together(task, [call]))
            for request, answer in round_.answered:
                if request["tool_call_id"] == call.id:
                    return _apply(call, task, request, answer)
            found = round_.decisions[call.id] if call.id in round_.decisions else await self._decide(call)
            if isinstance(found, SvcError):
                raise found
            if found is not None:
                raise _refusal(_STRAY)
        return Approval(arguments=call.args, tool_call_id=call.id)

    async def _shared_round(self, task: GraphTask) -> _Round:
        """One round for all calls of a run."""
        key = id(task.run)
        running = self._running.get(key)
        if running is None:
            own = [call for call in task.calls if call.name in self._tools]
            round_ = asyncio.ensure_future(self._ask_together(task, own))
            running = self._running[key] = _Running(task.run, round_, len(own))
            if len(self._running) > _MAX_ROUNDS:
                del self._running[next(iter(self._running))]
        running.waiting -= 1
        if running.waiting <= 0:
            self._running.pop(key, None)
        # A cancelled call must not cancel the other calls.
        return await asyncio.shield(running.round)

    async def _ask_together(self, task: GraphTask, calls: Sequence[Call]) -> _Round:
        """A question ends the run of the task: ``interrupt()`` raises. In the next run it returns the answer."""
        asked = await task.answered()
        requests = _requests_of(asked.value)
        ids = {call.id for call in calls}
        if any(request["tool_call_id"] in ids for request in requests):
            answer = None if asked.is_ambiguous else _interrupt(asked.value)
            decisions = _members_of(answer).get("decisions")
            given = decisions if isinstance(decisions, list) and len(decisions) == len(requests) else []
            return _Round(answered=list(zip_longest(requests, given)))
        found = await asyncio.gather(*map(self._decide_or_error, calls))
        decided = list(zip(calls, found, strict=True))
        needed = [(call, each) for call, each in decided if each is not None and not isinstance(each, SvcError)]
        if needed:
            _interrupt(_to_request(needed))
        return _Round(decisions={call.id: each for call, each in decided})

    async def _decide(self, call: Call) -> ResolveResponse | None:
        """The call that a human has to approve, if it is one."""
        return (await self._tools[call.name].decide(call.args)).needed

    async def _decide_or_error(self, call: Call) -> ResolveResponse | SvcError | None:
        try:
            return await self._decide(call)
        except SvcError as error:
            return error


def _apply(call: Call, task: GraphTask, request: ActionRequest, answer: object) -> Approval:
    chosen = _members_of(answer)
    kind, message = chosen.get("type"), chosen.get("message")
    if kind == "reject":
        return Approval(declined=message if isinstance(message, str) and message else "Declined by a human")
    action: Mapping[str, object] = {}
    if kind == "approve":
        action = request
    elif kind == "edit":
        action = _members_of(chosen.get("edited_action"))
    name, args = action.get("name"), action.get("args")
    if name != request["name"] or not isinstance(args, dict):
        raise _refusal(_NO_APPROVAL)
    payment = request.get("payment")
    arguments = args if call.name == name else {"action": name, "payload": args}
    return Approval(
        arguments=arguments,
        idempotency_key=_key_of(task, call, arguments),
        options={
            "approved": True,
            "max_payment": payment["amount"] if payment else "0",
            "action_version": request.get("version"),
        },
    )


def _key_of(task: GraphTask, call: Call, arguments: object) -> str:
    """The idempotency key of an approved call, so that the call runs once: LangGraph may run an ended task again.

    Not left to ``tool_call_id``, because one UUID in a hundred does not look random.
    """
    text = json.dumps([task.id, call.id, arguments], default=repr)
    return hashlib.sha256(text.encode()).hexdigest()


def _to_request(needed: Sequence[tuple[Call, ResolveResponse]]) -> ApprovalRequest:
    request: ApprovalRequest = {"action_requests": [], "review_configs": []}
    for call, resolved in needed:
        action = resolved["action"]
        asked: ActionRequest = {
            "name": action["action"],
            "args": resolved["payload"],
            "description": f"{describe_action(action)}\n{describe_call(resolved)}",
            "tool_call_id": call.id,
        }
        if payment := action.get("payment"):
            asked["payment"] = payment
        if version := resolved.get("version"):
            asked["version"] = version
        request["action_requests"].append(asked)
        request["review_configs"].append(
            {
                "action_name": action["action"],
                "allowed_decisions": ["approve", "edit", "reject"],
                "args_schema": action["payloadSchema"],
            }
        )
    return request


def _interrupt(value: object) -> object:
    # Loaded here, because only approval needs the package.
    try:
        from langgraph.types import interrupt
    except ImportError as error:
        raise _refusal("It needs approval: pip install langgraph") from error
    return interrupt(value)


def _requests_of(question: object) -> list[ActionRequest]:
    """The calls that a question of this module is about."""
    requests = _members_of(question).get("action_requests")
    return requests if isinstance(requests, list) else []


def _members_of(value: object) -> Mapping[str, object]:
    """The members of a value of unknown type; none if it is not a dictionary."""
    return value if isinstance(value, dict) else {}


def _refusal(message: str) -> SvcError:
    return SvcError("INVALID_REQUEST", message)
