"""The toolkit's name, description and needed connection: sent with every registration, and as ``update`` requests
while the toolkit runs.

Errors: a refused update raises the service's own error.
"""

import asyncio
from collections.abc import Callable

from svc.errors import SvcError
from svc.protocol.json_text import to_json
from svc.toolkit.socket_connection import Answer, Settle

SendUpdate = Callable[[str, Settle], None]


class DetailsUpdates:
    """Updates that the service has not accepted yet, in order."""

    def __init__(self, details: dict[str, object]) -> None:
        """Args: details: sent with the first registration."""
        self._accepted = details
        self._pending: dict[asyncio.Future[None], dict[str, object]] = {}
        self._send: SendUpdate | None = None

    @property
    def current(self) -> dict[str, object]:
        """The details for a registration, with every update, so that the registration undoes none."""
        current = dict(self._accepted)
        for details in self._pending.values():
            current |= details
        return {name: value for name, value in current.items() if value is not None}

    @property
    def needs_connection(self) -> bool:
        """True if the calls of this toolkit need a connection."""
        auth = self._accepted.get("auth")
        for details in self._pending.values():
            auth = details.get("auth", auth)
        return auth is not None

    async def update(self, details: dict[str, object]) -> None:
        """Returns when the service has accepted the update, which may be after the next registration."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending[done] = details
        if self._send:
            self._request(done, self._send)
        try:
            await done
        finally:
            self._pending.pop(done, None)

    def resume(self, send: SendUpdate) -> None:
        """Sends the waiting updates after a registration."""
        self._send = send
        for done in list(self._pending):
            self._request(done, send)

    def suspend(self) -> None:
        self._send = None

    def fail(self, error: SvcError) -> None:
        for done in list(self._pending):
            if not done.done():
                done.set_exception(error)
        self._pending.clear()

    def _request(self, done: asyncio.Future[None], send: SendUpdate) -> None:
        details = self._pending[done]

        def settle(answer: Answer) -> None:
            if answer.is_lost:
                return
            self._pending.pop(done, None)
            if answer.error is None:
                self._accepted = {**self._accepted, **details}
            if done.done():
                return
            if answer.error is None:
                done.set_result(None)
            else:
                done.set_exception(answer.error)

        send(to_json(details), settle)
