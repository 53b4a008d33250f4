"""Runs the calls of the model's newest message and writes their results. The n-th call of the turn's s-th message has
the idempotency key ``<turn id>/<s>/<n>``, both counted from 0: after a crash the service returns the result of the
first run.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from svc.agent.events import HandlerErrorEvent
from svc.agent.options import ApproveCall, CallToApprove
from svc.agent.resolve_value import resolve_value
from svc.agent.turns.approvals import decide_all, not_approved, to_approval
from svc.agent.turns.await_decision import to_deciding
from svc.agent.turns.connections import CallToConnect, is_askable, not_connected, to_connecting
from svc.agent.turns.early_end import EarlyEnd
from svc.agent.turns.error_result import error_result
from svc.agent.turns.model_message import calls_of, is_unreachable, steps_in
from svc.agent.turns.turn_scope import TurnScope
from svc.agent.turns.turn_tools import CallToDecide
from svc.ai.agent_tool import ApprovedCall
from svc.client.message import Message
from svc.errors import SvcError
from svc.protocol.http import ResolveResponse

_UNREACHABLE_IN_A_ROW = 3

#: The result of a call, or the person that the call waits for.
_Answer = Message | CallToConnect | CallToDecide


@dataclass(frozen=True, kw_only=True)
class _Verdict:
    """The decision about a call: the options of its run, or the result in place of a run."""

    options: ApprovedCall = field(default_factory=ApprovedCall)
    result: Message | None = None


_RUN = _Verdict()


async def run_calls(scope: TurnScope) -> None:
    """Ends with the turn in state ``running`` and its results, or in state ``asking`` if a person has to answer
    first.
    """
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
    answers = await _run_all(scope, calls, verdicts, question_id)
    needed = [answer for answer in answers if isinstance(answer, CallToConnect) and is_askable(answer, scope.turn)]
    if needed:
        await _begin_connecting(scope, needed[0])
        return
    for index, answer in enumerate(answers):
        if isinstance(answer, CallToDecide):
            scope.turn.deciding = to_deciding(answer, question_id, index, scope.turn.deciding)
            await scope.save("asking")
            return
    results = [
        not_connected(answer, scope.turn) if isinstance(answer, CallToConnect) else answer
        for answer in answers
        if not isinstance(answer, CallToDecide)
    ]
    others = [error_result(call, _too_many(most)) for call in every_call[most:]]
    await scope.save("running", [*results, *others])
    if is_unreachable(scope.messages, _UNREACHABLE_IN_A_ROW):
        raise EarlyEnd("service-unreachable", f"{_UNREACHABLE_IN_A_ROW} calls in a row did not reach the service")


async def _begin_connecting(scope: TurnScope, needed: CallToConnect) -> None:
    """Stores no result: when the account is connected, all calls run again, and those that had run return their results
    again.
    """
    scope.turn.connecting = to_connecting(needed, scope.turn.connecting)
    scope.link = needed.link
    await scope.save("asking")


def _too_many(most: int) -> dict[str, object]:
    return {
        "code": "TOO_MANY_CALLS",
        "message": f"A message may have at most {most} calls. This call is one more, so it did not run: make it in a "
        "later message",
    }


async def _run_all(
    scope: TurnScope, calls: Sequence[dict[str, object]], verdicts: dict[int, _Verdict], question_id: str
) -> list[_Answer]:
    deciding = scope.turn.deciding
    refused = deciding.get("refused", {}) if deciding and deciding["question_id"] == question_id else {}

    async def run(index: int, call: dict[str, object]) -> _Answer:
        verdict = verdicts.get(index, _RUN)
        if verdict.result:
            return verdict.result
        if refusal := refused.get(str(index)):
            return error_result(call, refusal)
        async with scope.setup.tool_slots.take(scope.lane_key, scope.signal):
            key = f"{question_id}/{index}"
            return await scope.signal.race(scope.tools.answer(call, idempotency_key=key, options=verdict.options))

    results = await asyncio.gather(*(run(index, call) for index, call in enumerate(calls)), return_exceptions=True)
    # Raised only after all calls have ended: a call that continues would keep its slot.
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


async def _decide(scope: TurnScope, calls: Sequence[dict[str, object]], question_id: str) -> dict[int, _Verdict] | None:
    """None if a person has to be asked first; the question is in ``turn.approval`` then."""
    approve = scope.setup.options.approve
    if approve == "never":
        return {}
    decisions = await scope.signal.race(decide_all(calls, scope.tools))
    is_needed = any(not isinstance(found, SvcError) and found.needed is not None for found in decisions.values())
    if is_needed and approve == "ask":
        scope.turn.approval = to_approval(question_id, decisions, scope.prompt("reply.ask"))
        return None
    verdicts: dict[int, _Verdict] = {}
    for index, found in decisions.items():
        if isinstance(found, SvcError):
            verdicts[index] = _Verdict(result=error_result(calls[index], found.to_json()))
        elif found.needed is not None:
            is_approved = callable(approve) and await _is_approved(scope, approve, found.needed)
            verdicts[index] = (
                _Verdict(options=found.call_options) if is_approved else _Verdict(result=not_approved(calls[index]))
            )
    return verdicts


def _answered(scope: TurnScope, calls: Sequence[dict[str, object]]) -> dict[int, _Verdict]:
    approval = scope.turn.approval
    assert approval is not None
    prices, versions, failed = approval["calls"], approval.get("versions", {}), approval.get("failed", {})
    verdicts: dict[int, _Verdict] = {}
    for index, call in enumerate(calls):
        price = prices.get(str(index))
        if error := failed.get(str(index)):
            verdicts[index] = _Verdict(result=error_result(call, error))
        elif price is not None and not approval.get("approved"):
            verdicts[index] = _Verdict(result=not_approved(call))
        elif price is not None:
            options: ApprovedCall = {
                "approved": True,
                "max_payment": price,
                "action_version": versions.get(str(index)),
            }
            verdicts[index] = _Verdict(options=options)
    return verdicts


async def _is_approved(scope: TurnScope, approve: ApproveCall, found: ResolveResponse) -> bool:
    """Calls the program's function. An error of the function declines the call."""
    action = found["action"]
    request = CallToApprove(action=action["action"], payload=found["payload"], info=action)
    try:
        return await scope.signal.race(resolve_value(lambda: approve(scope.turn.ctx, request))) is True
    except Exception as error:
        scope.signal.raise_if_aborted()
        scope.setup.emit(HandlerErrorEvent(handler="approve", error=error))
        return False
