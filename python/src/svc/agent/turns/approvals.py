"""Approval of calls: which need it, the question, and who may answer."""

import asyncio
from collections.abc import Collection, Sequence

from svc.agent.clock import now_ms
from svc.agent.store.agent_turn import AgentTurn, Approval
from svc.agent.turns.error_result import error_result
from svc.agent.turns.turn_tools import TurnTools
from svc.ai.agent_tool import Decision
from svc.client.message import Message
from svc.errors import SvcError
from svc.protocol.http import ResolveResponse
from svc.tools.describe_call import describe_call

#: Milliseconds without an answer after which a question counts as declined.
_ANSWER_WITHIN_MS = 10 * 60 * 1000
#: Characters of all payloads in one question, and of one payload.
_MAX_SHOWN = 9_000
_MAX_SHOWN_PAYLOAD = 3_000

#: Index of a call -> the decision about it, or the error of the decision.
FoundDecisions = dict[int, Decision | SvcError]


async def decide_all(calls: Sequence[dict[str, object]], tools: TurnTools) -> FoundDecisions:
    """The decision about each call, or the error of the decision."""
    decisions: FoundDecisions = {}

    async def decide(index: int, call: dict[str, object]) -> None:
        try:
            found = await tools.decide(call)
        except SvcError as error:
            decisions[index] = error
        else:
            if found:
                decisions[index] = found

    async with asyncio.TaskGroup() as group:
        for index, call in enumerate(calls):
            group.create_task(decide(index, call))
    return decisions


def to_approval(question_id: str, decisions: FoundDecisions, question: str) -> Approval:
    """The question about the calls of one step.

    Args:
        question_id: `<turn id>/<step>`
        decisions: by the index of their call
        question: the text that the person reads first
    """
    needed: dict[str, ResolveResponse] = {}
    versions: dict[str, str] = {}
    failed: dict[str, object] = {}
    for index, found in sorted(decisions.items()):
        if isinstance(found, SvcError):
            failed[str(index)] = found.to_json()
            continue
        if found.needed is not None:
            needed[str(index)] = found.needed
            if version := found.call_options.get("action_version"):
                versions[str(index)] = version
    most = min(_MAX_SHOWN_PAYLOAD, _MAX_SHOWN // len(needed))
    approval: Approval = {
        "question_id": question_id,
        "text": "\n".join([question, *(describe_call(found, most) for found in needed.values())]),
        "calls": {index: _price_of(found) for index, found in needed.items()},
        "versions": versions,
        "until": now_ms() + _ANSWER_WITHIN_MS,
    }
    if failed:
        approval["failed"] = failed
    return approval


def answer_due(approval: Approval) -> int:
    """When the question expires as declined. The wait does not grow when the clock is set back."""
    return min(approval["until"], now_ms() + _ANSWER_WITHIN_MS)


def may_answer(turn: AgentTurn, user_id: str, owners: Collection[str]) -> bool:
    return turn.ctx.user_id == user_id or f"{turn.client_id}/{user_id}" in owners


def not_approved(call: dict[str, object]) -> Message:
    return error_result(
        call,
        {
            "code": "NOT_APPROVED",
            "message": "The person did not approve this call, so it did not run. Make it again only if they ask for it",
        },
    )


def _price_of(call: ResolveResponse) -> str:
    payment = call.action.payment
    return payment.amount if payment else "0"
