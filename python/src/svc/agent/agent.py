"""An agent that people talk to through chat clients."""

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Self

from svc.agent.agent_run import AgentRun
from svc.agent.approvers.approvers import Approvers, read_approvers
from svc.agent.events import AgentEvent
from svc.agent.model.ask_model import AskModel
from svc.agent.options import AcceptMessage, AgentOptions, Approve
from svc.agent.run_until_signal import run_until_signal
from svc.agent.store.agent_store import AgentStore
from svc.agent.turns.built_in_prompts import BUILT_IN_PROMPTS
from svc.client.base import BaseClient
from svc.errors import SvcError
from svc.protocol.environment import from_environment
from svc.protocol.event_loop import require_asyncio
from svc.tools.tools import Tools


class Agent:
    """An agent that answers people in the chats where they write.

    ```python
    agent = Agent(clients=[TelegramClient(bot_token=token)])
    agent.set_model("default", "openai/gpt-5-mini")
    agent.run()
    ```
    """

    def __init__(
        self,
        api_key: str | None = None,
        agent_id: str = "",
        clients: Sequence[BaseClient] = (),
        tool_call_concurrency: int = 10,
        *,
        store: str | os.PathLike[str] = "svc-agent.db",
        base_url: str | None = None,
        model: AskModel | None = None,
        accept: AcceptMessage | None = None,
        approve: Approve = "ask",
        ask_above: str | None = None,
        owners: Sequence[str] = (),
        approvals: Approvers | None = None,
        edit: bool = False,
        on_event: Callable[[AgentEvent], object] | None = None,
        max_steps: int = 20,
        max_calls_per_step: int = 32,
        turn_timeout: float = 300.0,
        history_tokens: int = 24_000,
        max_concurrent_turns: int = 16,
        retention_days: int = 30,
    ) -> None:
        """Opens neither the file nor a connection.

        Args:
            api_key: agent key, ``svc_agent_…``. Default: ``SVC_AGENT_API_KEY``.
            agent_id: agents with different ids can share one store.
            clients: also ``add_client``.
            tool_call_concurrency: tool calls that run at a time, of all turns together, 1 to 1,000.
            store: path of a SQLite file; ``:memory:`` keeps nothing.
            base_url: address of the service. Default: ``SVC_BASE_URL``, then ``http://127.0.0.1:8787``.
            model: asks a model in place of chat completions.
            accept: decides who may talk to the agent. A message that is refused leaves no trace; an error refuses too.
                Default: everybody.
            approve: the rule for a call of an action that is declared ``destructive``, or costs more than
                ``ask_above``: ``"ask"`` asks the person who wrote, in the chat; a function decides; ``"never"`` runs
                it.
            ask_above: calls of actions with a higher price than this amount, such as ``"0.50"``, need approval too.
                Default: a price alone needs no approval.
            owners: user ids that may answer the questions of all users, each as ``<client id>/<user id>``. Default:
                only the person who wrote may answer.
            approvals: brings questions of the service to chats of approvers.
            edit: true shows a long answer while it is written, on platforms where messages can be edited.
            on_event: called with each event. The library prints nothing.
            max_steps: messages of the model in one turn, 1 to 100.
            max_calls_per_step: calls in one message of the model, 1 to 1,000. Further calls get an error as their
                result.
            turn_timeout: seconds that a turn may take, without the time that it waits for a person.
            history_tokens: tokens of earlier turns that the model reads, estimated from their JSON.
            max_concurrent_turns: turns that run at a time.
            retention_days: days that finished turns are kept.

        Raises:
            SvcError: INVALID_REQUEST for an option that is wrong, and for two clients with one id; INVALID_KEY for
                ``approvals`` without an admin key.
        """
        self._options = AgentOptions(
            api_key=api_key,
            base_url=base_url,
            agent_id=agent_id,
            tool_call_concurrency=tool_call_concurrency,
            store=os.fspath(store),
            model=model,
            accept=accept,
            approve=approve,
            ask_above=ask_above,
            owners=owners,
            approvals=approvals and read_approvers(approvals, owners),
            edit=edit,
            on_event=on_event,
            max_steps=max_steps,
            max_calls_per_step=max_calls_per_step,
            turn_timeout=turn_timeout,
            history_tokens=history_tokens,
            max_concurrent_turns=max_concurrent_turns,
            retention_days=retention_days,
        )
        # Refuses a wrong address before the first message arrives.
        Tools(api_key, base_url=base_url)
        self._store = AgentStore(self._options.store, agent_id)
        self._clients: dict[str, BaseClient] = {}
        self._run: AgentRun | None = None
        for client in clients:
            self.add_client(client)

    def add_client(self, client: BaseClient) -> Self:
        """Adds a client, before ``run()``.

        Raises:
            SvcError: INVALID_REQUEST for a second client with the same id, and while the agent runs.
        """
        client_id: object = client.client_id
        if not isinstance(client_id, str) or client_id == "":
            raise SvcError("INVALID_REQUEST", "A client needs a client_id that is a text")
        if client_id in self._clients:
            raise SvcError("INVALID_REQUEST", f"This agent has a client {client_id} already")
        if self._run:
            raise SvcError("INVALID_REQUEST", "The agent runs: add clients before run()")
        self._clients[client_id] = client
        return self

    def get_all_prompts(self) -> dict[str, str]:
        """All prompts by name: the built-in ones, and those that were set."""
        return {**BUILT_IN_PROMPTS, **self._store.settings.all("prompt")}

    def get_prompt(self, name: str) -> str:
        """The text of a prompt; ``""`` for a name that is unknown."""
        return self.get_all_prompts().get(name, "")

    def set_prompt(self, name: str, text: str | None) -> None:
        """Sets a prompt, used from the next step of every turn on and after a restart.

        ``""`` and None restore the built-in text.
        """
        self._store.settings.set("prompt", name, text)

    def get_model(self, name: str = "default") -> str:
        """The id of a model.

        A name that was not set gives that of ``default``, then ``SVC_MODEL``; ``""`` without either.
        """
        models = self._store.settings.all("model")
        return models.get(name) or models.get("default") or os.environ.get("SVC_MODEL", "")

    def set_model(self, name: str, model_id: str | None) -> None:
        """Sets a model such as ``openai/gpt-5-mini``; None forgets it."""
        self._store.settings.set("model", name, model_id)

    def run(self) -> None:
        """Serves the clients until ``stop()``, SIGINT or SIGTERM.

        The second signal ends the process at once. Within an event loop: ``await serve()``.

        Raises:
            SvcError: as ``serve``
        """
        with suppress(RuntimeError):
            asyncio.get_running_loop()
            raise SvcError("INVALID_REQUEST", "An event loop runs in this thread already: await agent.serve()")
        run_until_signal(self.serve(), self._end_run)

    async def serve(self) -> None:
        """Serves the clients until ``stop()``, or until its task is cancelled.

        Raises:
            SvcError: INVALID_REQUEST without a model or a client, INVALID_KEY without a key
            Exception: an error that names the client, if a client cannot start or no client is left; an error that
                names the file, if the store cannot be written
        """
        require_asyncio()
        if self._run:
            raise SvcError("INVALID_REQUEST", "The agent runs already")
        self._check_settings()
        self._run = AgentRun(
            self._options,
            self._store,
            list(self._clients.values()),
            get_prompt=self.get_prompt,
            get_model=self.get_model,
        )
        try:
            await self._run.serve()
        finally:
            self._run = None
            self._store.close()

    async def stop(self) -> None:
        """Stops receiving messages, and gives running turns 25 seconds to end. Open turns resume at the next start."""
        if self._run:
            self._run.end()
            await self._run.wait()

    def _end_run(self) -> None:
        if self._run:
            self._run.end()

    def _check_settings(self) -> None:
        if not self._clients:
            raise SvcError("INVALID_REQUEST", "The agent has no client: pass clients=[…] or call add_client()")
        if self._options.model is None and self.get_model() == "":
            raise SvcError(
                "INVALID_REQUEST", "No model: set SVC_MODEL, or call agent.set_model('default', 'provider/model')"
            )
        if not (self._options.api_key or from_environment("SVC_AGENT_API_KEY")):
            raise SvcError(
                "INVALID_KEY",
                "No agent key. Set SVC_AGENT_API_KEY or pass api_key; `npx svc-service keys create` makes one",
            )
