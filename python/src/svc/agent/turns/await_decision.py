"""Waits for people elsewhere, who decide about a call by a rule of the service: in the console, by the command, or in a
chat of approvers. The chat gets one message. The wait survives a restart; when it ends, the same calls are made again.
"""

from dataclasses import replace
from datetime import datetime

from svc.agent.clock import now_ms
from svc.agent.store.agent_turn import AgentTurn, Deciding
from svc.agent.turns.send_patiently import send_patiently
from svc.agent.turns.turn_scope import TurnScope
from svc.agent.turns.turn_tools import CallToDecide
from svc.client.base import RefusedReply
from svc.client.message import Message
from svc.errors import SvcError

#: Limits of the milliseconds between two looks, which are a tenth of the wait so far.
_FIRST_LOOK_MS = 250
_LONGEST_LOOK_MS = 30_000


def deciding_of(turn: AgentTurn) -> Deciding | None:
    """The wait of a turn for people elsewhere; None if it does not wait for them."""
    deciding = turn.deciding
    return deciding if turn.state == "asking" and deciding and "ended" not in deciding else None


def to_deciding(needed: CallToDecide, question_id: str, index: int, earlier: Deciding | None) -> Deciding:
    """The wait for the decision. It keeps what is known about the other calls of the step."""
    deciding: Deciding = {
        "question_id": question_id,
        "index": index,
        "handle": needed.approval["id"],
        "since": now_ms(),
        "until": round(datetime.fromisoformat(needed.approval["expiresAt"]).timestamp() * 1000),
    }
    if earlier and earlier["question_id"] == question_id:
        if "shown" in earlier:
            deciding["shown"] = earlier["shown"]
        if "refused" in earlier:
            deciding["refused"] = earlier["refused"]
    return deciding


def next_look_ms(deciding: Deciding) -> int:
    """The time until the next look."""
    return min(_LONGEST_LOOK_MS, max(_FIRST_LOOK_MS, (now_ms() - deciding["since"]) // 10))


async def await_decision(scope: TurnScope, deciding: Deciding) -> None:
    """Ends the wait after a decision, or after its end."""
    if "shown" not in deciding:
        await _show(scope, deciding)
    decision = await scope.signal.race(scope.tools.decision_on(deciding["handle"]))
    if decision == "open" and now_ms() < deciding["until"]:
        return
    ended = deciding.copy()
    ended["shown"] = ended["ended"] = True
    if isinstance(decision, SvcError):
        ended["refused"] = {**deciding.get("refused", {}), str(deciding["index"]): decision.to_json()}
    scope.turn.deciding = ended
    await scope.save("running")


async def _show(scope: TurnScope, deciding: Deciding) -> None:
    # The reply, not this message, replaces the beginning of an answer.
    ctx = replace(scope.turn.ctx, partial=None)
    message: Message = {"role": "assistant", "content": scope.prompt("reply.decide")}
    try:
        await send_patiently(scope, lambda: scope.client.send_message(ctx, [message]))
    except RefusedReply as error:
        scope.report_reply(error)
    shown = deciding.copy()
    shown["shown"] = True
    scope.turn.deciding = shown
    await scope.save("asking")
