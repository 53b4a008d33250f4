"""Runs the calls of the model's newest message and writes their results. The n-th call of the turn's s-th message has
the idempotency key ``<turn id>/<s>/<n>``, both counted from 0: after a crash the service gives the result of the first
run.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from svc.agent.events import HandlerErrorEvent
from svc.agent.options import ApproveCall, CallToApprove
from svc.agent.resolve_value import resolve_value
from svc.agent.turns.approvals import find_needed, not_approved, to_approval
from svc.agent.turns.early_end import EarlyEnd
from svc.agent.turns.error_result import error_result
from svc.agent.turns.model_message import calls_of, is_unreachable, steps_in
from svc.agent.turns.turn_scope import TurnScope
from svc.agent.turns.turn_tools import shown_price
from svc.client.message import Message
from svc.protocol.http import ResolveResponse

_UNREACHABLE_IN_A_ROW = 3


@dataclass(frozen=True, kw_only=True)
class _Verdict:
    """The decision about a call: a price that was approved, or the result in place of a run."""

    max_payment: str | None = None
    result: Message | None = None


_RUN = _Verdict()


async def run_calls(scope: TurnScope) -> None:
    """Leaves the turn ``running`` with the results, or ``asking`` if a person has to answer first."""
    most = scope.setup.options.max_calls_per_step
    every_call = calls_of(scope.messages)
    calls = every_call[:most]
    question_id = f"{scope.turn.id}/{steps_in(scope.messages) - 1}"
    approval = scope.turn.approval
    if approval and approval["question_id"] == question_id:
        verdicts: dict[int, _Verdict] | None = _answered(scope, calls)
    else:
        verdicts = await _decide(scope, calls, question_id)
    if verdicts is None:
        await scope.save("asking")
        return
    results = await _run_all(scope, calls, verdicts, question_id)
    others = [error_result(call, _too_many(most)) for call in every_call[most:]]
    await scope.save("running", [*results, *others])
    if is_unreachable(scope.messages, _UNREACHABLE_IN_A_ROW):
        raise EarlyEnd("service-unreachable", f"{_UNREACHABLE_IN_A_ROW} calls in a row did not reach the service")


def _too_many(most: int) -> dict[str, Any]:
    return {
        "code": "TOO_MANY_CALLS",
        "message": f"A message may have at most {most} calls. This call is one more, so it did not run: make it in a "
        "later message",
    }


async def _run_all(
    scope: TurnScope, calls: Sequence[dict[str, Any]], verdicts: dict[int, _Verdict], question_id: str
) -> list[Message]:
    async def run(index: int, call: dict[str, Any]) -> Message:
        verdict = verdicts.get(index, _RUN)
        if verdict.result:
            return verdict.result
        async with scope.setup.tool_slots.take(scope.lane_key, scope.signal):
            key = f"{question_id}/{index}"
            return await scope.signal.race(
                scope.tools.answer(call, idempotency_key=key, max_payment=verdict.max_payment)
            )

    results = await asyncio.gather(*(run(index, call) for index, call in enumerate(calls)), return_exceptions=True)
    # After all have ended: a call that goes on would keep its slot.
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


async def _decide(scope: TurnScope, calls: Sequence[dict[str, Any]], question_id: str) -> dict[int, _Verdict] | None:
    """None if a person has to be asked first; the question is in ``turn.approval`` then."""
    approve = scope.setup.options.approve
    if approve == "never":
        return {}
    needed, unknown = await scope.signal.race(find_needed(calls, scope.tools))
    if needed and approve == "ask":
        scope.turn.approval = to_approval(question_id, needed, unknown, scope.prompt("reply.ask"))
        return None
    verdicts = {index: _Verdict(result=error_result(calls[index], error.to_json())) for index, error in unknown.items()}
    for index, found in needed.items():
        assert callable(approve)
        verdicts[index] = await _ruled(scope, approve, calls[index], found)
    return verdicts


def _answered(scope: TurnScope, calls: Sequence[dict[str, Any]]) -> dict[int, _Verdict]:
    approval = scope.turn.approval
    assert approval is not None
    failed = {
        int(index): _Verdict(result=error_result(calls[int(index)], error))
        for index, error in approval.get("failed", {}).items()
    }
    asked = {
        int(index): _Verdict(max_payment=price)
        if approval.get("approved")
        else _Verdict(result=not_approved(calls[int(index)]))
        for index, price in approval["calls"].items()
    }
    return {**failed, **asked}


async def _ruled(scope: TurnScope, approve: ApproveCall, call: dict[str, Any], found: ResolveResponse) -> _Verdict:
    """A function of the program decides. An error of it is a no."""
    action = found["action"]
    request = CallToApprove(action=action["action"], payload=found["payload"], info=action)
    try:
        if await scope.signal.race(resolve_value(lambda: approve(scope.turn.ctx, request))) is True:
            return _Verdict(max_payment=shown_price(action))
    except Exception as error:
        scope.signal.raise_if_aborted()
        scope.setup.emit(HandlerErrorEvent(handler="approve", error=error))
    return _Verdict(result=not_approved(call))
