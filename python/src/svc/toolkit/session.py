"""The running part of a toolkit: registers on every connection, serves, and ends when it is stopped or refused.

Shape: phases opening -> registered -> waiting -> opening …, until ended; a move goes from registered to opening.
    Callbacks run in the order of the frames.
Errors: ``run()`` and ``ready`` raise INVALID_ACTION or the service's own error at the first registration, and the key's
    error at any time; any other error is a status, followed by a retry.
Source: docs/protocol.md, section 6.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Literal

from svc.errors import SvcError
from svc.toolkit.action import Action
from svc.toolkit.confirmations import Confirmations
from svc.toolkit.deferred import Deferred
from svc.toolkit.details_updates import DetailsUpdates
from svc.toolkit.fault import Fault
from svc.toolkit.invocations import Invocations
from svc.toolkit.options import ToolkitOptions
from svc.toolkit.register_answer import RegisterAnswer, read_register_answer, rejected_actions_error
from svc.toolkit.registrar import Registrar
from svc.toolkit.service_link import ServiceLink
from svc.toolkit.shutdown import Shutdown
from svc.toolkit.socket_connection import Answer, Settle
from svc.toolkit.status import Connected, Connecting, Disconnected, Registration, Stopped
from svc.toolkit.status_reporter import StatusReporter

Phase = Literal["opening", "registered", "waiting", "ended"]


class ToolkitSession:
    """One run of a toolkit."""

    def __init__(
        self,
        options: ToolkitOptions,
        actions: Mapping[str, Action],
        details: dict[str, object],
        ready: Deferred[Registration],
    ) -> None:
        """
        Args:
            options: checked.
            actions: live: the list of the moment is registered.
            details: name, description and needed connection.
            ready: set to the first registration.
        """
        self._fails_on_rejected = options.on_rejected == "fail"
        self._status = StatusReporter(options)
        self._details = DetailsUpdates(details)
        self._link = ServiceLink(options.url, options.api_key, self)
        self._invocations = Invocations(actions, options.concurrency, options.middleware, self)
        self._registrar = Registrar(actions, options.concurrency, self._details, self._invocations)
        self._confirmations = Confirmations(self._invocations)
        self._shutdown = Shutdown(self._invocations, self)
        self._ready = ready
        self._ended: Deferred[None] = Deferred()
        self._phase: Phase = "opening"
        self._reason: SvcError | None = None
        self._registration: Registration | None = None

    async def run(self) -> None:
        """Serves until the end. A cancellation cuts the connection and cancels the handlers."""
        try:
            await self._link.run()
        finally:
            self.end()
            self._invocations.cancel_tasks()
            self._status.report(Stopped(self._reason))
            if self._reason:
                self._ended.fail(self._reason)
            self._ended.set(None)
        if self._reason:
            raise self._reason

    async def ended(self) -> None:
        """Returns when the session has stopped."""
        await self._ended.wait()

    async def update_toolkit(self, details: dict[str, object]) -> None:
        if self._phase == "ended":
            raise _stopped_error()
        await self._details.update(details)

    def actions_changed(self) -> None:
        """Sends the whole list again, once for all changes of one event-loop turn."""
        self._registrar.list_changed()
        if self._phase == "registered":
            asyncio.get_running_loop().call_soon(self._register_changes)

    async def stop(self, timeout: float | None) -> None:
        if self._phase != "ended":
            self._link.stop_moving()
            self._shutdown.begin(timeout)
        # `run()` raises it.
        with suppress(SvcError):
            await self._ended.wait()

    # Callbacks of the link.

    def connecting(self) -> None:
        self._phase = "opening"
        self._status.report(Connecting())

    def leaving(self) -> None:
        self._phase = "opening"
        self._suspend()

    def opened(self) -> None:
        self._registrar.opened()
        self._register()

    def closed(self, fault: Fault) -> bool:
        self._suspend()
        if fault.frame_too_large:
            self._invocations.replace_largest()
        if fault.final:
            self._end(fault.error)
        elif fault.frame_too_large and self._registration is None:
            self._end(_registration_too_large_error())
        elif self._shutdown.begun and not self._invocations.has_undelivered:
            self._end()
        return self._phase != "ended"

    def waiting(self, reason: SvcError, retry_in: float) -> None:
        self._phase = "waiting"
        self._status.report(Disconnected(reason, retry_in))

    def invoke(self, invocation_id: str, params: object) -> None:
        self._invocations.invoke(invocation_id, params)

    def cancel(self, params: object) -> None:
        self._invocations.cancel(params)

    def warning(self, params: object) -> None:
        self._status.warn(params)

    # Callbacks of the invocations.

    def warn(self, params: object) -> None:
        self._status.warn(params)

    def send(self, frame: str) -> None:
        if self._link.connection:
            self._link.connection.send(frame)

    def request(self, method: str, params_json: str, settle: Settle) -> None:
        if self._link.connection:
            self._link.connection.request(method, params_json, settle)
        else:
            settle(Answer(is_lost=True))

    @property
    def needs_connection(self) -> bool:
        return self._details.needs_connection

    def invocations_changed(self) -> None:
        self._confirmations.invocations_changed()
        if self._phase != "ended":
            self._shutdown.advance()

    # Callbacks of the shutdown.

    def drain(self, drained: Callable[[], None]) -> None:
        if self._phase != "registered" or self._registrar.under_way:
            return

        def settle(answer: Answer) -> None:
            if not answer.is_lost and self._phase != "ended":
                drained()

        self.request("drain", "{}", settle)

    def can_end(self, drained: bool) -> bool:
        return drained or self._phase != "registered"

    def confirm(self) -> None:
        self._confirmations.now()

    def end(self) -> None:
        self._end()

    # Registration.

    def _register(self) -> None:
        if self._link.connection:
            self._registrar.register(self._link.connection, self._on_register_answer)

    def _on_register_answer(self, answer: Answer) -> None:
        if answer.error:
            self._on_registration_refused(answer.error)
        elif not answer.is_lost:
            self._on_registration_answered(answer.result)
        # A registration resets a drain at the service, so the two requests never overlap.
        if self._shutdown.begun:
            self._shutdown.drain()
        elif self._registrar.is_outdated:
            self._register_changes()

    def _register_changes(self) -> None:
        if self._phase == "registered" and not self._registrar.under_way and not self._shutdown.begun:
            self._register()

    def _on_registration_answered(self, result: object) -> None:
        answer = read_register_answer(result)
        if answer is None:
            if self._link.connection:
                self._link.connection.break_off("its answer to register is not of protocol 1")
        elif self._registration is None and answer.rejected and self._fails_on_rejected:
            self._end(rejected_actions_error(answer.rejected))
        else:
            self._on_registered(answer)

    def _on_registration_refused(self, error: SvcError) -> None:
        if self._phase == "registered" and self._registration:
            # A change of the list was refused: the service keeps the old list, and the session continues.
            self._status.report(Connected(registration=self._registration, rejected=[], refused=error))
        elif (self._registration or error.retryable) and self._link.connection:
            if not error.retryable:
                # The update in the registration may be the reason, and the next registration would then be refused too.
                self._details.fail(error)
            self._link.connection.leave(error)
        else:
            self._end(error)

    def _on_registered(self, answer: RegisterAnswer) -> None:
        self._registration = answer.registration
        if self._phase == "opening":
            self._serve(answer)
        self._ready.set(answer.registration)
        self._status.report(Connected(registration=answer.registration, rejected=answer.rejected))

    def _serve(self, answer: RegisterAnswer) -> None:
        self._phase = "registered"
        self._registrar.registered()
        self._link.settled()
        if self._link.connection:
            self._confirmations.start(self._link.connection, answer.heartbeat)
        self._invocations.resume(answer.awaiting)
        self._details.resume(lambda params_json, settle: self.request("update", params_json, settle))

    # The end.

    def _suspend(self) -> None:
        self._confirmations.stop()
        self._shutdown.suspend()
        self._invocations.suspend()
        self._details.suspend()

    def _end(self, reason: SvcError | None = None) -> None:
        if self._phase == "ended":
            return
        self._phase = "ended"
        self._reason = reason
        self._shutdown.close()
        self._confirmations.stop()
        self._invocations.cancel_all()
        self._details.fail(reason or _stopped_error())
        self._ready.fail(reason or _stopped_error())
        self._link.close()


def _stopped_error() -> SvcError:
    return SvcError("CONNECTION_CLOSED", "The toolkit was stopped", {"retryable": False})


def _registration_too_large_error() -> SvcError:
    return SvcError(
        "REQUEST_TOO_LARGE",
        "The actions together are larger than the service takes: shorten their payload descriptions",
    )
