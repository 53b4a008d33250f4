"""Approval of calls: which need it, the question, and who may answer."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from svc.agent.clock import now_ms
from svc.agent.store.agent_turn import AgentTurn, Approval
from svc.agent.turns.error_result import error_result
from svc.agent.turns.turn_tools import TurnTools, shown_price
from svc.client.message import Message
from svc.errors import SvcError
from svc.protocol.http import ResolveResponse
from svc.protocol.json_text import to_json

#: After this much silence the answer is no, in milliseconds.
_ANSWER_WITHIN_MS = 10 * 60 * 1000
#: Characters of a payload. A longer one ends with its length, so that nobody takes the beginning for the whole.
_MAX_SHOWN_PAYLOAD = 3_000


async def find_needed(
    calls: Sequence[dict[str, Any]], tools: TurnTools
) -> tuple[dict[int, ResolveResponse], dict[int, SvcError]]:
    """The calls that need approval, and those of which nobody can know, by their index."""
    needed: dict[int, ResolveResponse] = {}
    unknown: dict[int, SvcError] = {}

    async def look(index: int, call: dict[str, Any]) -> None:
        try:
            found = await tools.approval_for(call)
        except SvcError as error:
            unknown[index] = error
        else:
            if found:
                needed[index] = found

    async with asyncio.TaskGroup() as group:
        for index, call in enumerate(calls):
            group.create_task(look(index, call))
    return needed, unknown


def to_approval(
    question_id: str, needed: Mapping[int, ResolveResponse], unknown: Mapping[int, SvcError], question: str
) -> Approval:
    """The question about the calls of one step.

    Args:
        question_id: `<turn id>/<step>`
        needed: the calls that need approval, by their index
        unknown: those of which nobody can know, by their index
        question: what the person reads first
    """
    asked = sorted(needed.items())
    approval: Approval = {
        "question_id": question_id,
        "text": "\n".join([question, *(_describe_call(found) for _, found in asked)]),
        "calls": {str(index): shown_price(found["action"]) for index, found in asked},
        "until": now_ms() + _ANSWER_WITHIN_MS,
    }
    if unknown:
        approval["failed"] = {str(index): error.to_json() for index, error in unknown.items()}
    return approval


def answer_due(approval: Approval) -> int:
    """When silence becomes a no. A clock that was set back must not make the wait longer."""
    return min(approval["until"], now_ms() + _ANSWER_WITHIN_MS)


def may_answer(turn: AgentTurn, user_id: str, owners: Collection[str]) -> bool:
    return turn.ctx.user_id == user_id or f"{turn.client_id}/{user_id}" in owners


def not_approved(call: dict[str, Any]) -> Message:
    return error_result(
        call,
        {
            "code": "NOT_APPROVED",
            "message": "The person did not approve this call, so it did not run. Make it again only if they ask for it",
        },
    )


def _describe_call(found: ResolveResponse) -> str:
    action = found["action"]
    text = to_json(found["payload"])
    if len(text) > _MAX_SHOWN_PAYLOAD:
        text = f"{text[:_MAX_SHOWN_PAYLOAD]}… ({len(text)} characters)"
    payment = action.get("payment")
    price = f", for {payment['amount']} {payment['currency']}" if payment else ""
    return f"{action['action']} {text}{price}"
