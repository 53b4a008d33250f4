"""Asks the person who wrote whether the calls of a step may run."""

from svc.agent.clock import now_ms
from svc.agent.store.agent_turn import Approval, LostTurnError
from svc.agent.store.store_error import patiently
from svc.agent.turns.approvals import answer_due
from svc.agent.turns.send_patiently import send_patiently
from svc.agent.turns.turn_scope import TurnScope
from svc.client.base import Question, RefusedReply, has_member


async def ask_person(scope: TurnScope) -> None:
    """Declines the calls if the question has expired; otherwise sends the question, once."""
    approval = scope.turn.approval
    if approval is None:
        raise RuntimeError(f"The turn {scope.turn.id} asks, and has no question")
    if answer_due(approval) <= now_ms():
        await _settle(scope, approval)
    elif not approval.get("asked"):
        await _send_question(scope, approval)


async def end_question(scope: TurnScope) -> None:
    """Removes the buttons after the question was answered."""
    turn = scope.turn
    approval = turn.approval
    if approval is None or "approved" not in approval or "shown" not in approval:
        return
    # The removal is stored with the next step. After a crash the buttons are removed again.
    rest = approval.copy()
    shown = rest.pop("shown")
    turn.approval = rest
    outcome = scope.prompt("reply.ask.approved" if approval["approved"] else "reply.ask.denied")
    try:
        await scope.signal.race(scope.client.end_question(turn.ctx, shown, f"{approval['text']}\n{outcome}"))
    except Exception as error:
        scope.signal.raise_if_aborted()
        scope.report_reply(error)


async def _send_question(scope: TurnScope, approval: Approval) -> None:
    try:
        shown = await send_patiently(scope, lambda: _send(scope, approval))
    except RefusedReply as error:
        scope.report_reply(error)
        await _settle(scope, approval)
        return
    asked = approval.copy()
    asked["asked"] = True
    if shown is not None:
        asked["shown"] = shown
    await _save_asked(scope, asked)


async def _save_asked(scope: TurnScope, approval: Approval) -> None:
    """Stores that the question was sent.

    The person may answer before that. The answer then counts, and the next step removes the buttons.
    """
    scope.turn.approval = approval
    try:
        await scope.save("asking")
    except LostTurnError:
        await patiently(lambda: scope.setup.store.turns.save_shown(scope.turn.id, approval))
        raise


async def _settle(scope: TurnScope, approval: Approval) -> None:
    settled = approval.copy()
    settled["approved"] = False
    scope.turn.approval = settled
    await scope.save("running")


async def _send(scope: TurnScope, approval: Approval) -> object:
    client = scope.client
    ctx = scope.turn.ctx
    if has_member(client, "ask_approval"):
        return await client.ask_approval(ctx, Question(approval["question_id"], approval["text"]))
    text = f"{approval['text']}\n{scope.prompt('reply.ask.how')}"
    await client.send_message(ctx, [{"role": "assistant", "content": text}])
    return None
