"""Sends a message until the platform accepts it. The clients retry short failures themselves; this loop outlasts a
platform that is down.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from svc.agent.clock import now_ms
from svc.agent.turns.early_end import MAX_AGE_MS
from svc.agent.turns.turn_scope import TurnScope
from svc.client.base import RefusedReply

Result = TypeVar("Result")

#: Seconds.
_FIRST_WAIT = 1.0
_MAX_WAIT = 60.0


async def send_patiently(scope: TurnScope, send: Callable[[], Awaitable[Result]]) -> Result:
    """The platform's answer.

    Raises:
        RefusedReply: if the platform refuses for good, or the message is older than 12 hours
        Exception: the reason of the scope's signal
    """
    signal = scope.signal
    wait = _FIRST_WAIT
    while True:
        try:
            return await signal.race(send())
        except RefusedReply:
            raise
        except Exception as error:
            signal.raise_if_aborted()
            scope.report_reply(error)
            if now_ms() - scope.turn.at > MAX_AGE_MS:
                raise RefusedReply("Nothing could be sent for 12 hours") from error
        await signal.pause(wait)
        wait = min(2 * wait, _MAX_WAIT)
