"""The parts that all turns of an agent share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from svc.agent.events import AgentEvent
from svc.agent.model.ask_model import AskModel
from svc.agent.options import AgentOptions
from svc.agent.store.agent_store import AgentStore
from svc.agent.turns.conversation_id import conversation_id
from svc.agent.turns.fair_slots import FairSlots
from svc.agent.turns.prompt_texts import fill_prompt
from svc.agent.turns.turn_tools import TurnTools
from svc.client.message_context import MessageContext
from svc.tools.tools import Tools

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, kw_only=True)
class TurnSetup:
    """The parts of one agent run that its turns use.

    Attributes:
        options: The options of the agent.
        store: The agent's file.
        ask: The model function.
        tool_slots: For the tool calls of all turns.
        http_client: For requests to the service.
        get_prompt: The text of a prompt, with its placeholders.
        get_model: The id of a model.
        emit: Passes an event to the program.
    """

    options: AgentOptions
    store: AgentStore
    ask: AskModel
    tool_slots: FairSlots
    http_client: "httpx2.AsyncClient"
    get_prompt: Callable[[str], str]
    get_model: Callable[[str], str]
    emit: Callable[[AgentEvent], None]

    def tools_for(self, client_id: str, ctx: MessageContext) -> TurnTools:
        """The tools of one person in one chat."""
        tools = Tools(
            self.options.api_key,
            base_url=self.options.base_url,
            session_id=conversation_id(client_id, ctx.chat_id),
            user_id=conversation_id(client_id, ctx.user_id),
            http_client=self.http_client,
        )
        return TurnTools(tools, asks=self.options.approve != "never", ask_above=self.options.ask_above)

    def prompt(self, name: str, client_id: str, chat_id: str) -> str:
        """The text of a prompt for one chat."""
        return fill_prompt(self.get_prompt(name), agent_id=self.options.agent_id, client_id=client_id, chat_id=chat_id)
