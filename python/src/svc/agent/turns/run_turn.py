"""Continues a turn after its last stored message. That message decides the next step, so a crash needs no recovery: the
same function runs again.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import cast

from svc.agent.abort_signal import abandon
from svc.agent.clock import now_ms
from svc.agent.events import TurnCode, TurnEndEvent
from svc.agent.store.agent_turn import LostTurnError
from svc.agent.store.store_error import StoreError
from svc.agent.turns.ask_person import ask_person, end_question
from svc.agent.turns.await_account import await_account
from svc.agent.turns.await_decision import await_decision, deciding_of
from svc.agent.turns.call_step import run_calls
from svc.agent.turns.closing import closing_messages
from svc.agent.turns.connections import waiting_for
from svc.agent.turns.early_end import MAX_AGE_MS, AgentEnds, EarlyEnd
from svc.agent.turns.model_message import calls_of
from svc.agent.turns.model_step import ModelStep
from svc.agent.turns.send_patiently import send_patiently
from svc.agent.turns.turn_scope import TurnScope
from svc.agent.turns.user_message import to_user_message
from svc.client.base import RefusedReply, has_member

_MAX_ATTEMPTS = 3
#: Seconds.
_TYPING_EVERY = 4.0


async def think(scope: TurnScope) -> None:
    """Brings a turn to ``replying``, or to ``asking`` while a person has to answer.

    Raises:
        AgentEnds: the stored turn resumes at the next start
        LostTurnError: another process or a command has changed the turn
        StoreError: the file cannot be written
    """
    if scope.turn.state == "replying":
        return
    try:
        with _time_limit(scope), _typing(scope):
            await _run_steps(scope)
    except (AgentEnds, LostTurnError, StoreError):
        raise
    except Exception as error:
        scope.renew_signal()
        ended = error if isinstance(error, EarlyEnd) else EarlyEnd("model-failed", str(error) or type(error).__name__)
        messages = closing_messages(scope.turn.ctx, scope.messages, scope.prompt("reply.error"))
        await scope.save("replying", messages, f"{ended.code}: {ended}")


async def reply(scope: TurnScope) -> None:
    """Sends the reply. A crash before ``done`` is written sends it again.

    Raises:
        AgentEnds: the stored turn resumes at the next start
        LostTurnError: another process or a command has changed the turn
        StoreError: the file cannot be written
    """
    turn = scope.turn
    error = turn.error
    try:
        await send_patiently(scope, lambda: scope.client.send_message(turn.ctx, scope.messages[1:]))
    except RefusedReply as refusal:
        scope.report_reply(refusal)
        error = f"not-sent: {refusal}"
    await scope.save("done", error=error)
    seconds = (now_ms() - turn.at) / 1000
    scope.setup.emit(TurnEndEvent(**scope.place, code=_code_of(error), seconds=seconds, tokens=scope.tokens))


async def _run_steps(scope: TurnScope) -> None:
    turn = scope.turn
    if turn.attempts > _MAX_ATTEMPTS:
        raise EarlyEnd("given-up", f"{_MAX_ATTEMPTS} starts brought no progress")
    if turn.deciding is None and now_ms() - turn.at > MAX_AGE_MS:
        raise EarlyEnd("given-up", "The message is older than 12 hours")
    if turn.state == "queued":
        message = to_user_message(turn.ctx)
        # The message holds the images now.
        turn.ctx.images = []
        await scope.save("running", [message])
    model = ModelStep(scope)
    while turn.state in ("running", "asking"):
        scope.signal.raise_if_aborted()
        if turn.state == "asking":
            if deciding := deciding_of(turn):
                await await_decision(scope, deciding)
            elif connecting := waiting_for(turn):
                await await_account(scope, connecting)
            else:
                await ask_person(scope)
            if turn.state == "asking":
                return
        await end_question(scope)
        if calls_of(scope.messages):
            await run_calls(scope)
        else:
            await model.run()


@contextmanager
def _time_limit(scope: TurnScope) -> Iterator[None]:
    timeout = scope.setup.options.turn_timeout
    too_long = EarlyEnd("time-out", f"The turn took longer than {timeout:g} seconds")
    timer = asyncio.get_running_loop().call_later(timeout, scope.signal.abort, too_long)
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def _typing(scope: TurnScope) -> Iterator[None]:
    async def show() -> None:
        while True:
            # A lost typing signal does no harm, and a failing platform shows in the reply.
            with suppress(Exception):
                await scope.client.set_typing(scope.turn.ctx)
            await asyncio.sleep(_TYPING_EVERY)

    if not has_member(scope.client, "set_typing"):
        yield
        return
    task = asyncio.ensure_future(show())
    try:
        yield
    finally:
        abandon(task)


def _code_of(error: str | None) -> TurnCode:
    """The column ``error`` of a turn is ``<code>: <words>``."""
    return "answered" if error is None else cast(TurnCode, error.partition(":")[0])
