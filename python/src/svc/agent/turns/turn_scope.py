"""The context of one running turn, which its steps read and change."""

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

from svc.agent.abort_signal import AbortSignal
from svc.agent.events import ReplyErrorEvent
from svc.agent.model.ask_model import TokenCount
from svc.agent.store.agent_turn import AgentTurn, TurnState
from svc.agent.store.store_error import patiently
from svc.agent.turns.early_end import AgentEnds
from svc.agent.turns.setup import TurnSetup
from svc.client.base import BaseClient
from svc.client.message import Message


class LaneKey(NamedTuple):
    """A chat."""

    client_id: str
    chat_id: str


class TurnPlace(TypedDict):
    """The ids of a turn in events."""

    client_id: str
    chat_id: str
    turn_id: str


class TurnScope:
    """One running turn.

    Attributes:
        messages: The stored messages of the turn.
        tools: The tools of the person who wrote.
        signal: Aborted with an ``EarlyEnd``, or with ``AgentEnds``.
        tokens: Sum over all model calls since the start of this process.
        link: The page on which the person connects an account. Kept in memory only.
    """

    def __init__(self, setup: TurnSetup, client: BaseClient, turn: AgentTurn) -> None:
        self.setup = setup
        self.client = client
        self.turn = turn
        self.tools = setup.tools.of(turn.client_id, turn.ctx)
        self.messages = setup.store.turns.messages(turn.id)
        self.signal = AbortSignal()
        self.tokens = TokenCount()
        self.link: str | None = None
        self._left: AgentEnds | None = None

    @property
    def lane_key(self) -> LaneKey:
        """The key of the chat in parts that all chats share."""
        return LaneKey(self.turn.client_id, self.turn.ctx.chat_id)

    @property
    def place(self) -> TurnPlace:
        return {"client_id": self.turn.client_id, "chat_id": self.turn.ctx.chat_id, "turn_id": self.turn.id}

    def prompt(self, name: str) -> str:
        return self.setup.prompt(name, self.turn.client_id, self.turn.ctx.chat_id)

    def leave(self, reason: AgentEnds) -> None:
        """Stops without writing: the stored turn resumes later."""
        self._left = reason
        self.signal.abort(reason)

    def renew_signal(self) -> None:
        """Replaces the signal after an early end, so that the reply can be sent."""
        self.signal = AbortSignal()
        if self._left:
            self.signal.abort(self._left)

    async def save(self, state: TurnState, messages: Sequence[Message] = (), error: str | None = None) -> None:
        """Writes the next state and the messages that caused it.

        Raises:
            LostTurnError: if another process or a ``/stop`` has changed the turn
            StoreError: if the file cannot be written
        """
        await patiently(lambda: self.setup.store.turns.write(self.turn, state, messages, error))
        self.messages.extend(messages)

    def report_reply(self, error: Exception) -> None:
        """Reports that the platform refused a message."""
        self.setup.emit(ReplyErrorEvent(**self.place, error=error))
