"""Asks the author of the message to connect an account, and waits."""

from dataclasses import replace
from typing import Literal

from svc.agent.clock import now_ms
from svc.agent.store.agent_turn import Connecting
from svc.agent.turns.connections import connect_due
from svc.agent.turns.send_patiently import send_patiently
from svc.agent.turns.turn_scope import TurnScope
from svc.client.base import RefusedReply
from svc.client.message import Message


async def await_account(scope: TurnScope, connecting: Connecting) -> None:
    """Ends the wait after its deadline; otherwise sends the link, unless it was sent before, and the outcome of the
    last code.
    """
    is_asked, note = connecting.get("asked"), connecting.get("note")
    if connect_due(connecting) <= now_ms():
        await _end(scope, connecting, "expired")
    elif not is_asked and scope.link is None:
        # A restart lost the link. The same calls give another one.
        await scope.save("running")
    elif not is_asked or note:
        texts = [scope.prompt(note)] if note else []
        if not is_asked:
            texts += [scope.prompt("reply.connect"), f"{connecting['toolkit']}: {scope.link}"]
        await _send(scope, connecting, "\n".join(texts))


async def _send(scope: TurnScope, connecting: Connecting, text: str) -> None:
    # The reply, not this message, replaces the beginning of an answer.
    ctx = replace(scope.turn.ctx, partial=None)
    message: Message = {"role": "assistant", "content": text}
    try:
        await send_patiently(scope, lambda: scope.client.send_message(ctx, [message]))
    except RefusedReply as error:
        scope.report_reply(error)
        await _end(scope, connecting, "declined")
        return
    asked = connecting.copy()
    asked.pop("note", None)
    asked["asked"] = True
    scope.turn.connecting = asked
    await scope.save("asking")


async def _end(scope: TurnScope, connecting: Connecting, ended: Literal["declined", "expired"]) -> None:
    scope.turn.connecting = {"toolkit": connecting["toolkit"], "until": connecting["until"], "ended": ended}
    await scope.save("running")
