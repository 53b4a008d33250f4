"""``stop()``: drains the service's invocations, waits for the handlers, has their results confirmed, and ends.

Units: seconds.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from svc.toolkit.invocations import Invocations

#: The time between the end of the last handler and the arrival of its result. The service keeps the place of a lost
#: instance for 5 s.
_DELIVERY_TIME = 10.0
#: The time of handlers to end after their cancellation.
_GIVE_UP_TIME = 1.0


class ShutdownPort(Protocol):
    """The interface of the session that shuts down."""

    def drain(self, drained: Callable[[], None]) -> None:
        """Sends ``drain`` if a connection is registered."""

    def can_end(self, drained: bool) -> bool:
        """False while a connected service has not confirmed the drain and may send more invocations."""

    def confirm(self) -> None:
        """Requests the confirmation of results."""

    def end(self) -> None: ...


class Shutdown:
    """Starts the shutdown once; call ``advance`` after every change."""

    def __init__(self, invocations: Invocations, port: ShutdownPort) -> None:
        self._invocations = invocations
        self._port = port
        self._drained = False
        self._delivery_timer: asyncio.TimerHandle | None = None
        self._handler_timer: asyncio.TimerHandle | None = None
        self.begun = False

    def begin(self, timeout: float | None) -> None:
        """May be called again with another timeout."""
        if timeout is not None:
            if self._handler_timer:
                self._handler_timer.cancel()
            self._handler_timer = asyncio.get_running_loop().call_later(timeout, self._cancel_handlers)
        if self.begun:
            return
        self.begun = True
        self.drain()
        self.advance()

    def drain(self) -> None:
        def drained() -> None:
            self._drained = True
            self.advance()

        self._port.drain(drained)

    def suspend(self) -> None:
        """Handles a lost connection, which also ends the drain."""
        self._drained = False

    def advance(self) -> None:
        """Ends as soon as every handler has ended, every result is confirmed, and the drain is confirmed."""
        if not self.begun:
            return
        if self._invocations.busy:
            if self._delivery_timer:
                self._delivery_timer.cancel()
                self._delivery_timer = None
            return
        has_undelivered = self._invocations.has_undelivered
        if not has_undelivered and self._port.can_end(self._drained):
            self._port.end()
            return
        if self._delivery_timer is None:
            self._delivery_timer = asyncio.get_running_loop().call_later(_DELIVERY_TIME, self._port.end)
        if has_undelivered:
            self._port.confirm()

    def close(self) -> None:
        for timer in (self._delivery_timer, self._handler_timer):
            if timer:
                timer.cancel()

    def _cancel_handlers(self) -> None:
        self._invocations.cancel_all()
        self._handler_timer = asyncio.get_running_loop().call_later(_GIVE_UP_TIME, self._invocations.give_up)
