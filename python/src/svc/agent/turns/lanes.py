"""One lane for each chat: its turns run one after the other, in the order in which the messages came. Lanes run
concurrently. A lane without work is removed.
"""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from svc.agent.abort_signal import AbortSignal
from svc.agent.clock import now_ms
from svc.agent.events import TurnStartEvent
from svc.agent.store.agent_turn import AgentTurn, Deciding, LostTurnError
from svc.agent.store.store_error import patiently
from svc.agent.turns.approvals import answer_due
from svc.agent.turns.await_decision import deciding_of, next_look_ms
from svc.agent.turns.connections import connect_due, waiting_for
from svc.agent.turns.early_end import AgentEnds, EarlyEnd
from svc.agent.turns.fair_slots import FairSlots
from svc.agent.turns.run_turn import reply, think
from svc.agent.turns.setup import TurnSetup
from svc.agent.turns.turn_scope import LaneKey, TurnScope
from svc.client.base import BaseClient


@dataclass
class _Lane:
    """A chat that has work."""

    client: BaseClient
    chat_id: str
    #: True if a message arrived since the last check.
    woken: bool = True
    #: The running turn.
    scope: TurnScope | None = None
    #: Aborted when the lane may begin no further turn.
    closing: AbortSignal = field(default_factory=AbortSignal)
    task: asyncio.Task[None] | None = None

    def leave(self, reason: AgentEnds) -> None:
        """Stops without writing: the stored turns resume later."""
        self.closing.abort(reason)
        if self.scope:
            self.scope.leave(reason)


class Lanes:
    """All lanes of an agent."""

    def __init__(self, setup: TurnSetup, on_fatal: Callable[[Exception], None]) -> None:
        """
        Args:
            setup: what all turns share
            on_fatal: called when the store fails, or with a mistake of this package: the agent must end
        """
        self._setup = setup
        self._slots = FairSlots(setup.options.max_concurrent_turns)
        self._on_fatal = on_fatal
        self._lanes: dict[LaneKey, _Lane] = {}
        # Wakes the lane of a question when the question expires, or when people elsewhere have decided.
        self._questions: dict[LaneKey, asyncio.TimerHandle | asyncio.Task[None]] = {}
        self._is_ending = False

    def wake(self, client: BaseClient, chat_id: str) -> None:
        """Starts or wakes the lane of a chat that has work."""
        if self._is_ending:
            return
        key = LaneKey(client.client_id, chat_id)
        if timer := self._questions.pop(key, None):
            timer.cancel()
        known = self._lanes.get(key)
        if known:
            known.woken = True
            return
        lane = self._lanes[key] = _Lane(client, chat_id)
        lane.task = asyncio.ensure_future(self._work(key, lane))

    def cancel(self, client_id: str, chat_id: str, turn_ids: Collection[str]) -> None:
        """Ends the running turn of a chat, if it is one of these turns."""
        lane = self._lanes.get(LaneKey(client_id, chat_id))
        if lane and lane.scope and lane.scope.turn.id in turn_ids:
            lane.scope.signal.abort(EarlyEnd("stopped", "The person wrote /stop"))

    async def leave(self, client_id: str) -> None:
        """Stops the turns of a client without writing: another process has taken the client over."""
        for key in [key for key in self._questions if key.client_id == client_id]:
            self._questions.pop(key).cancel()
        left = [lane for lane in self._lanes.values() if lane.client.client_id == client_id]
        for lane in left:
            lane.leave(AgentEnds("Another process has the client"))
        await _wait_for(left)

    async def end(self, grace: float) -> None:
        """Starts no new turns, and waits for the running ones.

        Args:
            grace: seconds after which open turns are stopped without writing
        """
        reason = AgentEnds("The agent ends")
        self._is_ending = True
        for timer in self._questions.values():
            timer.cancel()
        for lane in self._lanes.values():
            lane.closing.abort(reason)
        await _wait_for(self._lanes.values(), grace)
        for lane in self._lanes.values():
            lane.leave(reason)
        await _wait_for(self._lanes.values())

    async def _work(self, key: LaneKey, lane: _Lane) -> None:
        try:
            goes_on = True
            while goes_on and not lane.closing.aborted:
                lane.woken = False
                goes_on = await self._run_next(key, lane) or lane.woken
        except AgentEnds:
            pass
        except Exception as error:
            self._on_fatal(error)
        finally:
            del self._lanes[key]

    async def _run_next(self, key: LaneKey, lane: _Lane) -> bool:
        """True if the chat may have more turns."""
        try:
            async with self._slots.take(key, lane.closing):
                turns = self._setup.store.turns
                turn = await patiently(lambda: turns.take(lane.client.client_id, lane.chat_id))
                lane.closing.raise_if_aborted()
                if turn is None:
                    return False
                scope = await self._think(lane, turn)
            if turn.state == "replying":
                await reply(scope)
            if turn.state != "asking":
                return True
            self._wake_when_due(key, lane, turn)
            return False
        except LostTurnError:
            # Another process or a command changed the turn: read the chat's turns again.
            return True
        finally:
            lane.scope = None

    async def _think(self, lane: _Lane, turn: AgentTurn) -> TurnScope:
        scope = lane.scope = TurnScope(self._setup, lane.client, turn)
        self._setup.emit(TurnStartEvent(**scope.place))
        await think(scope)
        return scope

    def _wake_when_due(self, key: LaneKey, lane: _Lane, turn: AgentTurn) -> None:
        if lane.closing.aborted:
            return
        if deciding := deciding_of(turn):
            self._questions[key] = asyncio.ensure_future(self._wake_when_decided(key, lane, turn, deciding))
            return
        connecting = waiting_for(turn)
        due = connect_due(connecting) if connecting else turn.approval and answer_due(turn.approval)
        if due is None:
            return
        wait_ms = max(0, due - now_ms())
        self._questions[key] = asyncio.get_running_loop().call_later(
            wait_ms / 1000, self.wake, lane.client, lane.chat_id
        )

    async def _wake_when_decided(self, key: LaneKey, lane: _Lane, turn: AgentTurn, deciding: Deciding) -> None:
        """Looks without a lane, so that a wait of hours takes no slot and reports no start of a turn."""
        tools = self._setup.tools.of(turn.client_id, turn.ctx)
        decision: object = "open"
        while decision == "open" and now_ms() < deciding["until"]:
            await asyncio.sleep(next_look_ms(deciding) / 1000)
            decision = await tools.decision_on(deciding["handle"])
        # Waking a lane cancels its question.
        del self._questions[key]
        self.wake(lane.client, lane.chat_id)


async def _wait_for(lanes: Collection[_Lane], timeout: float | None = None) -> None:
    tasks = [lane.task for lane in lanes if lane.task]
    if tasks:
        await asyncio.wait(tasks, timeout=timeout)
