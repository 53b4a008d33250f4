"""One run of an agent, from its start to its end."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from svc.agent.abort_signal import AbortSignal, abandon
from svc.agent.approvers.approver_chats import ApproverChats
from svc.agent.approvers.service_approvals import ServiceApprovals
from svc.agent.background import Background
from svc.agent.clock import now_ms
from svc.agent.events import AgentEvent, ClientStateEvent
from svc.agent.model.chat_completions import chat_completions_model
from svc.agent.options import AgentOptions
from svc.agent.store.agent_store import AgentStore
from svc.agent.store.store_error import StoreError, patiently
from svc.agent.turns.client_loop import ClientLoop, StartError
from svc.agent.turns.conversation_tools import ConversationTools
from svc.agent.turns.early_end import AgentEnds
from svc.agent.turns.fair_slots import FairSlots
from svc.agent.turns.intake import Intake
from svc.agent.turns.lanes import Lanes
from svc.agent.turns.setup import TurnSetup
from svc.client.base import BaseClient, MessageContext

if TYPE_CHECKING:
    import httpx2

#: Seconds.
_DRAIN = 25.0
_DAY = 24 * 60 * 60


class AgentRun:
    """The running clients of an agent. Created and used within one event loop."""

    def __init__(
        self,
        options: AgentOptions,
        store: AgentStore,
        clients: Sequence[BaseClient],
        *,
        get_prompt: Callable[[str], str],
        get_model: Callable[[str], str],
    ) -> None:
        self._options = options
        self._store = store
        self._clients = clients
        self._get_prompt = get_prompt
        self._get_model = get_model
        self._ending = AbortSignal()
        self._approvers: ApproverChats | None = None
        # The first error after which the agent has to end.
        self._fatal: Exception | None = None
        self._over: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Serves until ``end``, or until its task is cancelled.

        A cancellation drains like ``end``; a second cancellation does not wait.
        """
        self._over = asyncio.ensure_future(self._serve_clients())
        try:
            await asyncio.shield(self._over)
        except asyncio.CancelledError:
            self.end()
            try:
                await asyncio.wait((self._over,))
            finally:
                abandon(self._over)
            raise

    def end(self) -> None:
        """Stops receiving messages."""
        self._ending.abort(AgentEnds("The agent ends"))

    async def wait(self) -> None:
        """Returns when the run is over. ``serve`` raises its error."""
        if self._over:
            await asyncio.wait((self._over,))

    async def _serve_clients(self) -> None:
        import httpx2

        # No limit of connections: the slots of turns and of tool calls limit them already.
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=20)
        async with httpx2.AsyncClient(limits=limits) as http_client:
            self._approvers = self._open_approvers(http_client)
            await self._serve_with(self._setup(http_client))
        if self._fatal:
            raise self._fatal

    async def _serve_with(self, setup: TurnSetup) -> None:
        background = Background()
        lanes = Lanes(setup, self._fail)
        intake = Intake(setup, lanes, background, self._press)
        owner = secrets.token_hex(8)
        loops = [
            ClientLoop(client=client, setup=setup, owner=owner, lanes=lanes, intake=intake, ending=self._ending)
            for client in self._clients
        ]
        await self._delete_old_turns()
        background.start(self._clean_daily())
        try:
            await asyncio.gather(self._serve_all(loops), self._serve_approvers())
            # An agent that cannot write must not act.
            await lanes.end(0.0 if isinstance(self._fatal, StoreError) else _DRAIN)
            await asyncio.gather(*(loop.stop() for loop in loops), setup.tools.flush_tokens())
        finally:
            background.end()

    async def _serve_all(self, loops: Sequence[ClientLoop]) -> None:
        left = len(loops)

        async def serve(loop: ClientLoop) -> None:
            nonlocal left
            try:
                await loop.serve()
            except Exception as error:
                self._emit(ClientStateEvent(client_id=loop.client.client_id, state="failed", error=error))
                left -= 1
                if left == 0 or isinstance(error, StartError | StoreError):
                    self._fail(error)

        await asyncio.gather(*map(serve, loops))

    def _open_approvers(self, http_client: "httpx2.AsyncClient") -> ApproverChats | None:
        approvers = self._options.approvals
        if approvers is None or approvers.api_key is None:
            return None
        return ApproverChats(
            approvers,
            ServiceApprovals(self._options.base_url, approvers.api_key, http_client),
            clients=self._clients,
            owners=self._options.owners,
            store=self._store.settings,
            ending=self._ending,
            emit=self._emit,
        )

    async def _serve_approvers(self) -> None:
        if self._approvers is None:
            return
        try:
            await self._approvers.serve()
        except AgentEnds:
            return
        except Exception as error:
            self._fail(error)

    async def _press(self, client_id: str, ctx: MessageContext) -> bool:
        return self._approvers is not None and await self._approvers.press(client_id, ctx)

    async def _clean_daily(self) -> None:
        while True:
            await asyncio.sleep(_DAY)
            try:
                await self._delete_old_turns()
            except StoreError as error:
                self._fail(error)

    async def _delete_old_turns(self) -> None:
        before = now_ms() - self._options.retention_days * _DAY * 1000
        await patiently(lambda: self._store.turns.delete_finished(before))

    def _fail(self, error: Exception) -> None:
        self._fatal = self._fatal or error
        self.end()

    def _emit(self, event: AgentEvent) -> None:
        """Calls the program's event listener.

        An error of the listener must not change a turn, and the library prints nothing, so ``serve`` raises it.
        """
        if self._approvers and isinstance(event, ClientStateEvent):
            self._approvers.hold(event)
        if self._options.on_event is None:
            return
        try:
            self._options.on_event(event)
        except Exception as error:
            self._fail(error)

    def _setup(self, http_client: "httpx2.AsyncClient") -> TurnSetup:
        return TurnSetup(
            options=self._options,
            store=self._store,
            ask=self._options.model or chat_completions_model(http_client),
            tool_slots=FairSlots(self._options.tool_call_concurrency),
            tools=ConversationTools(self._options, http_client),
            get_prompt=self._get_prompt,
            get_model=self._get_model,
            emit=self._emit,
        )
