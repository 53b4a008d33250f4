"""Shows a long answer while the model writes it: one message, edited at most every 1.5 seconds."""

import asyncio
from collections.abc import Callable

from svc.agent.abort_signal import within
from svc.agent.store.agent_turn import AgentTurn
from svc.client.base import BaseClient

#: Seconds.
_EVERY = 1.5
_END_WITHIN = 5.0


class PartialReply:
    """The message that shows the beginning of one answer."""

    def __init__(
        self,
        client: BaseClient,
        turn: AgentTurn,
        *,
        save: Callable[[], None],
        on_error: Callable[[Exception], None],
    ) -> None:
        """
        Args:
            client: of the turn
            turn: gets ``ctx.partial``
            save: stores the platform's id of the message, ``turn.ctx.partial``
            on_error: called when the platform refuses the message
        """
        self._client = client
        self._turn = turn
        self._save = save
        self._on_error = on_error
        self._text = ""
        self._timer: asyncio.TimerHandle | None = None
        self._showing: asyncio.Task[None] | None = None
        self._is_over = False

    def update(self, text: str) -> None:
        """Accepts the whole text so far."""
        self._text = text
        if self._timer is None and not self._is_over:
            self._timer = asyncio.get_running_loop().call_later(_EVERY, self._begin)

    async def end(self) -> None:
        """Returns after the last edit. Does not wait for a client that hangs."""
        self._is_over = True
        if self._timer:
            self._timer.cancel()
        if self._showing and not self._showing.done():
            try:
                await within(_END_WITHIN, self._showing)
            except TimeoutError:
                self._on_error(TimeoutError(f"show_partial() took longer than {_END_WITHIN:g} seconds"))

    def _begin(self) -> None:
        self._showing = asyncio.ensure_future(self._show())

    async def _show(self) -> None:
        shown = self._text
        try:
            self._turn.ctx.partial = await self._client.show_partial(self._turn.ctx, shown)
            self._save()
        except Exception as error:
            self._on_error(error)
        self._timer = None
        if self._text != shown:
            self.update(self._text)
