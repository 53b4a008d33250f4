"""The parts that all turns of an agent share."""

from collections.abc import Callable
from dataclasses import dataclass

from svc.agent.events import AgentEvent
from svc.agent.model.ask_model import AskModel
from svc.agent.options import AgentOptions
from svc.agent.store.agent_store import AgentStore
from svc.agent.turns.conversation_tools import ConversationTools
from svc.agent.turns.fair_slots import FairSlots
from svc.agent.turns.prompt_texts import fill_prompt


@dataclass(frozen=True, kw_only=True)
class TurnSetup:
    """The parts of one agent run that its turns use.

    Attributes:
        options: The options of the agent.
        store: The agent's file.
        ask: The model function.
        tool_slots: For the tool calls of all turns.
        tools: The tools of each person in each chat.
        get_prompt: The text of a prompt, with its placeholders.
        get_model: The id of a model.
        emit: Passes an event to the program.
    """

    options: AgentOptions
    store: AgentStore
    ask: AskModel
    tool_slots: FairSlots
    tools: ConversationTools
    get_prompt: Callable[[str], str]
    get_model: Callable[[str], str]
    emit: Callable[[AgentEvent], None]

    def prompt(self, name: str, client_id: str, chat_id: str) -> str:
        """The text of a prompt for one chat."""
        return fill_prompt(self.get_prompt(name), agent_id=self.options.agent_id, client_id=client_id, chat_id=chat_id)
