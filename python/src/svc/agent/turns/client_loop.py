"""Receives messages from one client while this process holds the client's lease."""

import asyncio
import time
from dataclasses import dataclass

from svc.agent.abort_signal import AbortSignal, abandon, within
from svc.agent.events import ClientState, ClientStateEvent, HandlerErrorEvent, MessageErrorEvent
from svc.agent.resolve_value import resolve_value
from svc.agent.store.store_error import StoreError, patiently
from svc.agent.turns.check_message import check_message
from svc.agent.turns.intake import Intake
from svc.agent.turns.lanes import Lanes
from svc.agent.turns.setup import TurnSetup
from svc.client.base import BaseClient
from svc.client.message_context import InvalidMessageError, MessageContext
from svc.protocol.json_text import to_json

#: Seconds.
_RENEW_LEASE = 5.0
_ASK_FOR_LEASE = 1.0
#: Limits the loop when a client returns None without waiting.
_MIN_RECEIVE = 0.05
_STOP_WITHIN = 5.0


class StartError(Exception):
    """The client could not start."""


class _LostLease(Exception):  # noqa: N818 (another process goes on)
    """Another process holds the client's lease."""


@dataclass(frozen=True, kw_only=True)
class ClientLoop:
    """One client of a run.

    Attributes:
        owner: The id of this process.
        ending: Aborted when the agent ends.
    """

    client: BaseClient
    setup: TurnSetup
    owner: str
    lanes: Lanes
    intake: Intake
    ending: AbortSignal

    async def serve(self) -> None:
        """Returns when the agent ends. The client stays connected, so that replies can be sent until ``stop``.

        Raises:
            StartError: if the client cannot start
            StoreError: if the file cannot be written
            Exception: the error of ``receive_message``
        """
        while await self._wait_for_lease():
            signal = AbortSignal(self.ending)
            keeping = asyncio.ensure_future(self._keep_lease(signal))
            try:
                await self._receive_all(signal)
            finally:
                abandon(keeping)
            if self.ending.aborted:
                return
            await self.lanes.leave(self.client.client_id)
            await self.stop()

    async def stop(self) -> None:
        """Disconnects, and releases the lease for other processes. An error of ``stop()`` becomes an event."""
        failure: Exception | None = None
        try:
            await within(_STOP_WITHIN, self.client.stop())
        except TimeoutError:
            failure = TimeoutError(f"stop() took longer than {_STOP_WITHIN:g} seconds")
        except Exception as error:
            failure = error
        self._emit_state("stopped", failure)
        try:
            self.setup.store.clients.release(self.client.client_id, self.owner)
        except StoreError:
            # The lease expires without this write, and a failed store has ended the agent already.
            return

    async def _wait_for_lease(self) -> bool:
        """False if the agent ends first."""
        is_reported = False
        while not self.ending.aborted:
            if await patiently(self._lease):
                return True
            if not is_reported:
                self._emit_state("waiting")
            is_reported = True
            await _pause(_ASK_FOR_LEASE, self.ending)
        return False

    async def _keep_lease(self, signal: AbortSignal) -> None:
        """Aborts the signal when another process takes the lease, or when the store fails."""
        try:
            while True:
                await asyncio.sleep(_RENEW_LEASE)
                if not await patiently(self._lease):
                    signal.abort(_LostLease())
                    return
        except Exception as error:
            signal.abort(error)

    def _lease(self) -> bool:
        return self.setup.store.clients.lease(self.client.client_id, self.owner)

    async def _receive_all(self, signal: AbortSignal) -> None:
        client = self.client
        store = self.setup.store
        client.cursor = await patiently(lambda: store.clients.cursor(client.client_id))
        try:
            await signal.race(client.start())
        except Exception as error:
            if signal.aborted:
                return _raise_store_error(signal)
            raise StartError(f"The client {client.client_id} cannot start: {error}") from error
        self._emit_state("started")
        for chat_id in await patiently(lambda: store.turns.open_chats(client.client_id)):
            self.lanes.wake(client, chat_id)
        while not signal.aborted:
            began = time.monotonic()
            cursor = to_json(client.cursor)
            try:
                ctx = await self._receive(signal)
                is_accepted = ctx is not None and await signal.race(self._accepts(ctx))
            except Exception:
                if signal.aborted:
                    break
                raise
            accepted = ctx if is_accepted else None
            if accepted or to_json(client.cursor) != cursor:
                await self.intake.take(client, accepted)
            if ctx is None and time.monotonic() - began < _MIN_RECEIVE:
                await _pause(_MIN_RECEIVE, signal)
        return _raise_store_error(signal)

    async def _receive(self, signal: AbortSignal) -> MessageContext | None:
        """None if no message came. A value that is not a message becomes an event and None."""
        client = self.client
        try:
            received = await signal.race(client.receive_message())
            check_message(received)
        except InvalidMessageError as problem:
            error = TypeError(f"The client {client.client_id} returned a message that is left out: {problem}")
            self.setup.emit(MessageErrorEvent(client_id=client.client_id, error=error))
            return None
        return received

    async def _accepts(self, ctx: MessageContext) -> bool:
        accept = self.setup.options.accept
        if accept is None:
            return True
        try:
            return await resolve_value(lambda: accept(ctx, self.client.client_id)) is True
        except Exception as error:
            self.setup.emit(HandlerErrorEvent(handler="accept", error=error))
            return False

    def _emit_state(self, state: ClientState, error: Exception | None = None) -> None:
        self.setup.emit(ClientStateEvent(client_id=self.client.client_id, state=state, error=error))


async def _pause(seconds: float, signal: AbortSignal) -> None:
    """The loop checks the signal itself."""
    try:
        await signal.pause(seconds)
    except Exception:
        return


def _raise_store_error(signal: AbortSignal) -> None:
    if isinstance(signal.reason, StoreError):
        raise signal.reason
