"""One run of an action in this process: its deadline, its outcome and the delivery of the outcome."""

import asyncio
import math
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Literal, Protocol

from svc.errors import SvcError
from svc.protocol.http import Progress
from svc.toolkit.action import Action
from svc.toolkit.action_connection import ActionConnection, read_connection
from svc.toolkit.action_error import ActionError
from svc.toolkit.cancellation import Cancellation, CancelReason
from svc.toolkit.context import ActionContext, Call
from svc.toolkit.options import Middleware
from svc.toolkit.outcome import run_action
from svc.toolkit.socket_connection import Answer, Settle

#: Seconds. The service itself reports a passed deadline; this deadline is for a lost connection. Without the grace, a
#: handler that stops at its deadline would count as failed when its clock is a moment ahead.
_DEADLINE_GRACE = 0.05
#: Seconds. The maximum timer: a year is enough for any call.
_LONGEST_TIMEOUT = 366 * 24 * 60 * 60.0

#: ``answer``: on the connection of the invocation. ``result``: as a request on a later connection. ``unclear``: until
#: the service lists the results that it awaits. ``nothing``: the result is not awaited any more.
Delivery = Literal["answer", "result", "unclear", "nothing"]


class InvocationPort(Protocol):
    """Speaks to the service for a running invocation."""

    def send_progress(self, invocation: "Invocation", progress: Progress) -> None: ...

    def progress_dropped(self, invocation: "Invocation") -> None:
        """The handler reported progress that is not a number."""

    def renew_connection(self, invocation: "Invocation", settle: Settle) -> None:
        """Asks for another connection than the one that the API refused."""


class Invocation:
    """Its ``outcome`` is the text of the answer's members; None until the invocation has ended.

    It is kept until its result is confirmed: with a reference to its context, which refers to it, only the garbage
    collector would free both.
    """

    __slots__ = (
        "_context",
        "_ends_at",
        "_loop",
        "_port",
        "_renewal",
        "_thread",
        "action",
        "cancelled",
        "delivery",
        "id",
        "outcome",
        "payload",
        "task",
    )

    def __init__(self, action: Action, call: Call, port: InvocationPort) -> None:
        self.id = call.invocation_id
        self.action = action
        self.delivery: Delivery = "answer"
        self.outcome: str | None = None
        self.task: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        timeout = min(max(call.timeout, 0.0), _LONGEST_TIMEOUT)
        self._ends_at = self._loop.time() + timeout
        self.cancelled = Cancellation(self._ends_at + _DEADLINE_GRACE)
        self._port = port
        self._renewal: asyncio.Future[Answer] | None = None
        self.payload: object = {} if call.payload is None else call.payload
        self._context: ActionContext | None = ActionContext(call, time.time() + timeout, self.cancelled, self._progress)
        if call.connection:
            call.connection.renew = self._renew_in_any_loop

    def run(self, middleware: Middleware | None) -> Awaitable[str]:
        """The outcome of the handler."""
        assert self._context is not None
        return run_action(self.action, self._context, self.payload, middleware)

    @property
    def is_late(self) -> bool:
        """True after the deadline."""
        return self._loop.time() >= self._ends_at

    def cancel(self, reason: CancelReason) -> None:
        if self.outcome is None:
            self.cancelled.set(reason)

    def end(self, outcome: str) -> None:
        self.cancelled.close()
        self.outcome = outcome
        # Releases the payload and the connection; only the outcome is still needed.
        self.payload = None
        if self._context:
            self._context.connection = None
            self._context = None

    def _progress(self, progress: Progress) -> None:
        """May be called in any thread."""
        if _is_finite(progress["progress"]):
            self._in_loop(self._port.send_progress, self, progress)
        else:
            self._in_loop(self._port.progress_dropped, self)

    def _in_loop(self, function: Callable[..., None], *arguments: object) -> None:
        if threading.get_ident() == self._thread:
            function(*arguments)
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *arguments)

    async def _renew_in_any_loop(self) -> ActionConnection:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._renew(), self._loop))

    async def _renew(self) -> ActionConnection:
        """Requests of the handler that the API refuses side by side share one renewal."""
        renewal = self._renewal
        if renewal is None:
            renewal = self._renewal = self._loop.create_future()
            self._port.renew_connection(self, self._settle_renewal)
        answer = await asyncio.shield(renewal)
        result = answer.result if isinstance(answer.result, dict) else {}
        renewed = read_connection(result.get("connection"))
        if renewed is None:
            raise self._renewal_error(answer)
        return renewed

    def _renewal_error(self, answer: Answer) -> Exception:
        if answer.is_lost:
            return SvcError("CONNECTION_CLOSED", f"The socket closed before {self.id} got another connection")
        if answer.error and answer.error.code != "CONNECTION_REQUIRED":
            return answer.error
        why = answer.error.message if answer.error else "this toolkit does not understand the one that it got"
        return ActionError("CONNECTION_REQUIRED", f"The API refused the connection, and there is no other: {why}")

    def _settle_renewal(self, answer: Answer) -> None:
        renewal, self._renewal = self._renewal, None
        if renewal:
            renewal.set_result(answer)


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
