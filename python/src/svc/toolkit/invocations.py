"""The invocations that this instance knows: queued, running, or ended with an unconfirmed result.

Shape: invocation id -> invocation. Each invocation runs once, and is answered once per delivery, also after a lost
    connection.
Source: docs/protocol.md, section 6, "Results".
"""

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeGuard

from svc.protocol.frames import FAILED, INVALID_PARAMS, answer_frame, notification_frame
from svc.protocol.http import Payment, Progress
from svc.protocol.json_text import to_json
from svc.toolkit.action import Action
from svc.toolkit.action_connection import read_connection
from svc.toolkit.cancellation import CancelReason
from svc.toolkit.context import Call
from svc.toolkit.generational_cache import GenerationalCache
from svc.toolkit.invocation import Delivery, Invocation
from svc.toolkit.options import Middleware
from svc.toolkit.outcome import plain_error_outcome, too_large_outcome, unknown_outcome
from svc.toolkit.socket_connection import Answer, Settle

#: The minimum number of remembered ids of released invocations. A late second delivery of them does not run again.
_REMEMBERED_IDS = 10_000
#: The minimum number of remembered characters of their outcomes. A late second delivery is answered with the outcome.
_REMEMBERED_CHARS = 512 * 1024
#: The size of an entry in addition to its outcome.
_ENTRY_CHARS = 100
#: Above this size, sent results should be confirmed soon, so that they can be released.
_MANY_SENT = 256
_MUCH_SENT_CHARS = 1024 * 1024
#: The replacement of a smaller result would not save the connection.
_MIN_TOO_LARGE_CHARS = 64 * 1024
_MAX_PROGRESS_MESSAGE_CHARS = 1_000
_NOT_STARTED = {
    "INVOCATION_TIMEOUT": "its deadline passed",
    "INVOCATION_CANCELLED": "the caller cancelled",
    "TOOLKIT_STOPPED": "the toolkit stopped",
}


class InvocationsPort(Protocol):
    """Sends the frames of invocations to the service; drops them while there is no connection."""

    def send(self, frame: str) -> None: ...

    def request(self, method: str, params_json: str, settle: Settle) -> None: ...

    @property
    def needs_connection(self) -> bool:
        """True if the calls of this toolkit need a connection."""

    def warn(self, params: object) -> None:
        """Reports a mistake of this toolkit in a call: ``invocationId`` and ``message``."""

    def invocations_changed(self) -> None:
        """An invocation ended, or its result was released."""


class Invocations:
    """Starts, cancels, answers and remembers."""

    def __init__(
        self, actions: Mapping[str, Action], concurrency: int, middleware: Middleware | None, port: InvocationsPort
    ) -> None:
        self._actions = actions
        self._concurrency = concurrency
        self._middleware = middleware
        self._port = port
        self._known: dict[str, Invocation] = {}
        #: Received and not started, in order.
        self._waiting: dict[Invocation, None] = {}
        self._ended_ids: GenerationalCache[bool] = GenerationalCache(_REMEMBERED_IDS)
        self._ended_outcomes: GenerationalCache[str] = GenerationalCache(_REMEMBERED_CHARS)
        self._running = 0
        self._sent: list[Invocation] = []
        self._sent_chars = 0

    @property
    def busy(self) -> bool:
        """True if an awaited invocation has not ended."""
        return any(each.delivery != "nothing" and each.outcome is None for each in self._known.values())

    @property
    def has_undelivered(self) -> bool:
        """True if an awaited invocation has not ended, or its result is not confirmed."""
        return any(each.delivery != "nothing" for each in self._known.values())

    @property
    def unconfirmed(self) -> bool:
        """True if results were sent since the last heartbeat."""
        return len(self._sent) > 0

    @property
    def much_unconfirmed(self) -> bool:
        return len(self._sent) > _MANY_SENT or self._sent_chars > _MUCH_SENT_CHARS

    def unfinished(self) -> list[str]:
        """The list for ``register``."""
        return list(self._known)

    def invoke(self, invocation_id: str, params: object) -> None:
        known = self._known.get(invocation_id)
        call = _read_call(invocation_id, params)
        action = self._actions.get(call.action) if call else None
        if known:
            # A second delivery. While the invocation runs or is queued, one answer serves both deliveries.
            self._deliver_as(known, "answer")
        elif self._ended_ids.get(invocation_id):
            self._port.send(answer_frame(invocation_id, self._remembered_outcome(invocation_id)))
        elif not call:
            message = "invoke needs {action, payload, agentId, timeoutMs}"
            self._refuse(invocation_id, "INVALID_REQUEST", message, INVALID_PARAMS)
        elif not action:
            self._refuse(invocation_id, "ACTION_NOT_FOUND", f'This process has no action "{call.action}"')
        elif not call.connection and action.may_need_connection and self._port.needs_connection:
            message = f'"{call.action}" needs a connection, and the call has none that this toolkit understands'
            self._refuse(invocation_id, "CONNECTION_REQUIRED", message)
        else:
            self._admit(Invocation(action, call, self))

    def cancel(self, params: object) -> None:
        members = params if isinstance(params, dict) else {}
        invocation_id = members.get("invocationId")
        invocation = self._known.get(invocation_id) if isinstance(invocation_id, str) else None
        if invocation is None or invocation.outcome is not None:
            return
        reason: CancelReason = "timeout" if members.get("reason") == "timeout" else "cancelled"
        if invocation in self._waiting:
            del self._waiting[invocation]
            self._end_unstarted(invocation, "INVOCATION_TIMEOUT" if reason == "timeout" else "INVOCATION_CANCELLED")
        else:
            invocation.cancel(reason)

    def suspend(self) -> None:
        """Handles a lost connection: sent answers may not have arrived."""
        self.take_sent()
        for invocation in self._known.values():
            if invocation.delivery != "nothing":
                invocation.delivery = "unclear"

    def resume(self, awaiting: Iterable[str]) -> None:
        """Handles a new connection: delivers the awaited results and releases the others."""
        awaited = set(awaiting)
        for invocation in list(self._known.values()):
            if invocation.id in awaited:
                self._deliver_as(invocation, "result")
            elif invocation.delivery != "answer":
                self._abandon(invocation)

    def take_sent(self) -> list[Invocation]:
        """The answers on this connection since the last call."""
        sent, self._sent, self._sent_chars = self._sent, [], 0
        return sent

    def confirm(self, sent: Sequence[Invocation]) -> None:
        """Confirms these answers."""
        for invocation in sent:
            self._forget(invocation)
        self._port.invocations_changed()

    def replace_largest(self) -> None:
        """Replaces the largest result after the service closed the connection because of a frame's size: the same frame
        would close the next connection.
        """
        largest = max(self._known.values(), key=_size_of, default=None)
        if largest is not None and _size_of(largest) > _MIN_TOO_LARGE_CHARS:
            largest.end(too_large_outcome(_size_of(largest)))

    def cancel_all(self) -> None:
        for invocation in self._known.values():
            invocation.cancel("stopped")

    def give_up(self) -> None:
        """Answers in place of handlers that do not end, with an unknown outcome."""
        # Queued invocations are ended first, because the slot of an abandoned handler would start one.
        for invocation in list(self._waiting):
            del self._waiting[invocation]
            self._end_unstarted(invocation, "TOOLKIT_STOPPED")
        for invocation in list(self._known.values()):
            self._end_run(
                invocation, unknown_outcome(f"The toolkit stopped before the handler of {invocation.id} ended")
            )
        self.cancel_tasks()

    def cancel_tasks(self) -> None:
        """Cancels the asynchronous handlers. A thread cannot be cancelled."""
        for invocation in self._known.values():
            if invocation.task:
                invocation.task.cancel()

    def _admit(self, invocation: Invocation) -> None:
        self._known[invocation.id] = invocation
        self._waiting[invocation] = None
        self._start_waiting()

    def _start_waiting(self) -> None:
        for invocation in list(self._waiting):
            if self._running >= self._concurrency:
                return
            if self._waiting.pop(invocation, 0) == 0:
                continue
            if invocation.is_late:
                self._end_unstarted(invocation, "INVOCATION_TIMEOUT")
            else:
                self._running += 1
                invocation.task = asyncio.create_task(self._run(invocation), name=f"svc {invocation.id}")

    async def _run(self, invocation: Invocation) -> None:
        self._end_run(invocation, await invocation.run(self._middleware))
        invocation.task = None

    def _end_run(self, invocation: Invocation, outcome: str) -> None:
        # The handler was abandoned before, and its slot is free already.
        if invocation.outcome is not None:
            return
        self._running -= 1
        self._end(invocation, outcome)
        self._start_waiting()

    def _end_unstarted(self, invocation: Invocation, code: str) -> None:
        message = f"{invocation.id} was not started: {_NOT_STARTED[code]}"
        self._end(invocation, plain_error_outcome(code, message))

    def _end(self, invocation: Invocation, outcome: str) -> None:
        invocation.end(outcome)
        self._deliver(invocation)
        self._port.invocations_changed()

    def _deliver_as(self, invocation: Invocation, delivery: Delivery) -> None:
        invocation.delivery = delivery
        if invocation.outcome is not None:
            self._deliver(invocation)

    def _deliver(self, invocation: Invocation) -> None:
        if invocation.delivery == "answer":
            self._answer(invocation)
        elif invocation.delivery == "result":
            self._request_result(invocation)
        elif invocation.delivery == "nothing":
            self._forget(invocation)

    def _answer(self, invocation: Invocation) -> None:
        frame = answer_frame(invocation.id, invocation.outcome or "")
        self._sent.append(invocation)
        self._sent_chars += len(frame)
        self._port.send(frame)

    def _request_result(self, invocation: Invocation) -> None:
        def settle(answer: Answer) -> None:
            # A refusal confirms too: the result arrived and is not awaited.
            if not answer.is_lost:
                self._forget(invocation)
                self._port.invocations_changed()

        params_json = f'{{"invocationId":{to_json(invocation.id)},{invocation.outcome}}}'
        self._port.request("result", params_json, settle)

    def _abandon(self, invocation: Invocation) -> None:
        invocation.delivery = "nothing"
        if invocation.outcome is not None:
            self._forget(invocation)
        elif invocation in self._waiting:
            # The invocation never ran, so a second delivery may run.
            del self._waiting[invocation], self._known[invocation.id]
            invocation.end("")
        else:
            invocation.cancel("cancelled")

    def _forget(self, invocation: Invocation) -> None:
        outcome = invocation.outcome or ""
        self._known.pop(invocation.id, None)
        self._ended_ids.add(invocation.id, True, 1)
        if len(outcome) < _REMEMBERED_CHARS:
            self._ended_outcomes.add(invocation.id, outcome, len(outcome) + _ENTRY_CHARS)

    def _remembered_outcome(self, invocation_id: str) -> str:
        return self._ended_outcomes.get(invocation_id) or unknown_outcome(
            f"{invocation_id} ran already; its result was delivered and released"
        )

    def _refuse(self, invocation_id: str, reason: str, message: str, code: int = FAILED) -> None:
        self._port.send(answer_frame(invocation_id, plain_error_outcome(reason, message, code)))

    def send_progress(self, invocation: Invocation, progress: Progress) -> None:
        if invocation.delivery == "nothing" or invocation.outcome is not None:
            return
        params: dict[str, object] = {"invocationId": invocation.id, "progress": progress["progress"]}
        if _is_number(progress.get("total")):
            params["total"] = progress["total"]
        if "message" in progress:
            params["message"] = str(progress["message"])[:_MAX_PROGRESS_MESSAGE_CHARS]
        self._port.send(notification_frame("progress", params))

    def progress_dropped(self, invocation: Invocation) -> None:
        if invocation.delivery == "nothing" or invocation.outcome is not None:
            return
        message = "A report of progress was dropped: give a number, such as ctx.progress(1, total=5)"
        self._port.warn({"invocationId": invocation.id, "message": message})

    def renew_connection(self, invocation: Invocation, settle: Settle) -> None:
        self._port.request("connection", to_json({"invocationId": invocation.id}), settle)


def _size_of(invocation: Invocation) -> int:
    return len(invocation.outcome or "")


def _read_call(invocation_id: str, params: object) -> Call | None:
    if not isinstance(params, dict):
        return None
    action, agent_id, timeout_ms = params.get("action"), params.get("agentId"), params.get("timeoutMs")
    if not (isinstance(action, str) and isinstance(agent_id, str) and _is_number(timeout_ms)):
        return None
    # An older service sends neither of the two.
    key, attempt = params.get("idempotencyKey"), params.get("attempt")
    traceparent, tracestate = _text(params.get("traceparent")), _text(params.get("tracestate"))
    return Call(
        invocation_id=invocation_id,
        action=action,
        payload=params.get("payload"),
        agent_id=agent_id,
        user_id=_text(params.get("userId")),
        idempotency_key=_text(key) or invocation_id,
        attempt=attempt if isinstance(attempt, int) and not isinstance(attempt, bool) else 1,
        timeout=timeout_ms / 1000,
        payment=_payment(params.get("payment")),
        connection=read_connection(params.get("connection")),
        traceparent=traceparent,
        tracestate=tracestate if traceparent is not None else None,
    )


def _payment(value: object) -> Payment | None:
    if not isinstance(value, dict):
        return None
    amount, currency = value.get("amount"), value.get("currency")
    if not (isinstance(amount, str) and isinstance(currency, str)):
        return None
    return Payment({"amount": amount, "currency": currency})


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
