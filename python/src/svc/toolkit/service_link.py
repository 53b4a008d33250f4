"""The connection to the service: opened, reopened after every loss, and replaced by a connection to another node when
the service asks.

Shape: one connection is in use at a time; ``closed`` is called only for that connection, and returns whether to retry.
Units: seconds.
Source: docs/protocol.md, section 6, "Close codes" and "Moving".
"""

import asyncio
import math
import random
from collections.abc import Awaitable
from typing import Protocol, TypeVar

from svc.errors import SvcError
from svc.toolkit.background import BackgroundTasks
from svc.toolkit.backoff import Backoff
from svc.toolkit.fault import ConnectError, Fault
from svc.toolkit.socket_connection import SocketConnection, open_connection

Value = TypeVar("Value")

#: The longest timer that an event loop can wait for.
_LONGEST_TIME = 24 * 60 * 60.0


class LinkListener(Protocol):
    """The events and frames of the connection in use."""

    def connecting(self) -> None:
        """A connection is being opened, and none is in use."""

    def leaving(self) -> None:
        """The connection in use is replaced by a connection that is already open."""

    def opened(self) -> None: ...

    def closed(self, fault: Fault) -> bool:
        """Returns whether to connect again."""

    def waiting(self, reason: SvcError, retry_in: float) -> None: ...

    def invoke(self, invocation_id: str, params: object) -> None: ...

    def cancel(self, params: object) -> None: ...

    def warning(self, params: object) -> None: ...


class ServiceLink:
    """The link of one toolkit."""

    def __init__(self, url: str, api_key: str, listener: LinkListener) -> None:
        self._url = url
        self._api_key = api_key
        self._listener = listener
        self._backoff = Backoff()
        self._closing = asyncio.Event()
        self._moves = True
        self._moving: asyncio.Task[None] | None = None
        self._tasks = BackgroundTasks()
        #: An open connection that is not in use yet.
        self._opened: SocketConnection | None = None
        #: The connection in use.
        self.connection: SocketConnection | None = None

    async def run(self) -> None:
        """Reconnects until the link is closed, or the listener declines a retry."""
        try:
            while not self._closing.is_set():
                self._listener.connecting()
                fault = await self._connect_and_serve()
                if fault is None or not self._listener.closed(fault):
                    return
                retry_in = self._backoff.next(fault.error.retry_after)
                self._listener.waiting(fault.error, retry_in)
                await self._unless_closing(asyncio.sleep(retry_in))
        finally:
            left = [each for each in (self._opened, self.connection) if each]
            # A close frame informs the service at once that this process is gone.
            for connection in left:
                connection.close()
            await self._tasks.cancel()
            for connection in left:
                await connection.closed()

    def settled(self) -> None:
        """Handles a registered connection."""
        self._backoff.reset()
        if self.connection:
            self.connection.settled()

    def stop_moving(self) -> None:
        """Stays on this node, also when the service asks to move: another node would send new work."""
        self._moves = False
        self._cancel_move()

    def close(self) -> None:
        """Closes the link finally."""
        self._closing.set()
        self.stop_moving()
        if self.connection:
            self.connection.close()

    def invoke(self, invocation_id: str, params: object) -> None:
        self._listener.invoke(invocation_id, params)

    def cancel(self, params: object) -> None:
        self._listener.cancel(params)

    def warning(self, params: object) -> None:
        self._listener.warning(params)

    def reconnect(self, params: object) -> None:
        within_ms = params.get("withinMs") if isinstance(params, dict) else None
        is_time = isinstance(within_ms, int | float) and not isinstance(within_ms, bool) and within_ms >= 0
        if self._moves and self._moving is None and is_time and within_ms is not None and math.isfinite(within_ms):
            self._moving = self._tasks.start(self._move(min(within_ms / 1000, _LONGEST_TIME)))

    async def _connect_and_serve(self) -> Fault | None:
        """The reason why the connection ended or failed to open; None if the link was closed before the connection was
        open.
        """
        try:
            await self._unless_closing(self._open())
        except ConnectError as error:
            return error.fault
        connection, self._opened = self._opened, None
        if connection is None:
            return None
        self._use(connection)
        while True:
            fault = await connection.ended()
            if connection is self.connection:
                break
            # The link moved to another node.
            connection = self.connection or connection
        self._cancel_move()
        self.connection = None
        return fault

    async def _open(self) -> None:
        """Stores the connection, because a caller that is cancelled at the same moment does not receive it."""
        self._opened = await open_connection(self._url, self._api_key, self)

    def _use(self, connection: SocketConnection) -> None:
        self.connection = connection
        if self._closing.is_set():
            connection.close()
        else:
            self._listener.opened()

    async def _move(self, within: float) -> None:
        """Opens a second connection, with retries; meanwhile the first connection serves."""
        backoff = Backoff()
        wait = random.random() * within
        while True:
            await asyncio.sleep(wait)
            try:
                connection = await open_connection(self._url, self._api_key, self)
                break
            except ConnectError as error:
                # A refused key is retried too: the serving connection receives that error itself.
                wait = backoff.next(error.fault.error.retry_after)
        former = self.connection
        self._moving = None
        if former is None:
            connection.close()
            return
        # The old connection is retired before `register` is sent on the new one. Otherwise the new registration would
        # miss an invocation that arrived in between, and the service would send it to another process.
        self._listener.leaving()
        former.retire()
        self._use(connection)

    def _cancel_move(self) -> None:
        if self._moving:
            self._moving.cancel()
            self._moving = None

    async def _unless_closing(self, work: Awaitable[Value]) -> Value | None:
        """The value of the work; None as soon as the link is closed."""
        running = asyncio.ensure_future(work)
        closing = asyncio.ensure_future(self._closing.wait())
        try:
            await asyncio.wait({running, closing}, return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                return running.result()
            return None
        finally:
            closing.cancel()
            # Marks the error of the task as retrieved, also if the task has ended.
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
