"""Handles a received message: as a new turn, as a command, or as the answer to a question."""

from collections.abc import Mapping
from dataclasses import dataclass

from svc.agent.abort_signal import within
from svc.agent.background import Background
from svc.agent.clock import now_ms
from svc.agent.events import ReplyErrorEvent, TurnEndEvent
from svc.agent.model.ask_model import TokenCount
from svc.agent.store.agent_turn import AgentTurn, TurnState
from svc.agent.store.store_error import patiently
from svc.agent.turns.approvals import may_answer
from svc.agent.turns.closing import closing_messages
from svc.agent.turns.commands import NEW_COMMAND, STOP_COMMAND, is_command, read_yes_or_no
from svc.agent.turns.lanes import Lanes
from svc.agent.turns.setup import TurnSetup
from svc.client.base import BaseClient
from svc.client.message import Message
from svc.client.message_context import MessageContext

#: Seconds for the removal of a question's buttons after a command ended the question.
_END_QUESTION_WITHIN = 60.0


@dataclass(frozen=True)
class _Command:
    """The effect of a command."""

    #: The prompt of the reply.
    prompt: str
    #: The states of the turns that the command ends. A reply that is being sent is not stopped.
    ends: tuple[TurnState, ...]


_COMMANDS: Mapping[str, _Command] = {
    NEW_COMMAND: _Command("reply.new", ("asking",)),
    STOP_COMMAND: _Command("reply.stopped", ("queued", "running", "asking")),
}


class Intake:
    """Writes received messages to the file."""

    def __init__(self, setup: TurnSetup, lanes: Lanes, background: Background) -> None:
        self._setup = setup
        self._lanes = lanes
        self._background = background

    async def take(self, client: BaseClient, ctx: MessageContext | None) -> None:
        """Writes the message and the client's cursor in one transaction.

        Args:
            client: received the message
            ctx: None if no message came, or a message that needs no answer

        Raises:
            StoreError: the file cannot be written; nothing was stored
        """
        stopped = await patiently(lambda: self._write(client, ctx))
        if ctx is None:
            return
        client_id = client.client_id
        self._lanes.cancel(client_id, ctx.chat_id, [turn.id for turn in stopped])
        for turn in stopped:
            self._setup.emit(
                TurnEndEvent(
                    client_id=client_id,
                    chat_id=ctx.chat_id,
                    turn_id=turn.id,
                    code="stopped",
                    seconds=(now_ms() - turn.at) / 1000,
                    tokens=TokenCount(),
                )
            )
            # Intake does not wait for the platform.
            self._background.start(self._end_question(client, turn))
        self._lanes.wake(client, ctx.chat_id)

    def _write(self, client: BaseClient, ctx: MessageContext | None) -> list[AgentTurn]:
        """The turns that a command ended."""
        client_id = client.client_id
        turns = self._setup.store.turns
        with turns.take_in(client_id, client.cursor):
            if ctx is None:
                return []
            for command in _COMMANDS:
                if is_command(ctx.message, command):
                    return self._command(client_id, ctx, command)
            if not self._answer(client_id, ctx) and not ctx.answer:
                turns.add(client_id, ctx, "queued")
        return []

    def _command(self, client_id: str, ctx: MessageContext, name: str) -> list[AgentTurn]:
        """Adds a turn that needs no model, and ends the turns that the command ends."""
        turns = self._setup.store.turns
        command = _COMMANDS[name]
        ended = [turn for turn in turns.open(client_id, ctx.chat_id) if turn.state in command.ends]
        messages: list[Message] = [
            {"role": "user", "content": name},
            {"role": "assistant", "content": self._setup.prompt(command.prompt, client_id, ctx.chat_id)},
        ]
        # A command that the platform delivers twice ends nothing a second time.
        if turns.add(client_id, ctx, "replying", messages) is None:
            return []
        text = self._setup.prompt("reply.stopped", client_id, ctx.chat_id)
        for turn in ended:
            closing = closing_messages(turn.ctx, turns.messages(turn.id), text)
            turns.write(turn, "done", closing, f"stopped: The person wrote {name}")
        return ended

    def _answer(self, client_id: str, ctx: MessageContext) -> bool:
        """True if the message answered the question of the chat."""
        turns = self._setup.store.turns
        approved = ctx.answer.approved if ctx.answer else read_yes_or_no(ctx.message)
        if approved is None:
            return False
        asking = (turn for turn in turns.open(client_id, ctx.chat_id) if turn.state == "asking")
        turn = next(asking, None)
        if turn is None or turn.approval is None:
            return False
        if not may_answer(turn, ctx.user_id, self._setup.options.owners):
            return False
        if ctx.answer and ctx.answer.question_id != turn.approval["question_id"]:
            return False
        # A message that the platform delivers twice must not answer twice, or become a question to the model.
        if not ctx.answer and turns.add(client_id, ctx, "done") is None:
            return True
        turn.approval["approved"] = approved
        turns.write(turn, "running")
        return True

    async def _end_question(self, client: BaseClient, turn: AgentTurn) -> None:
        """Removes the buttons of an unanswered question."""
        approval = turn.approval
        if approval is None or "shown" not in approval or "approved" in approval:
            return
        client_id = client.client_id
        chat_id = turn.ctx.chat_id
        text = f"{approval['text']}\n{self._setup.prompt('reply.ask.denied', client_id, chat_id)}"
        try:
            await within(_END_QUESTION_WITHIN, client.end_question(turn.ctx, approval["shown"], text))
        except Exception as error:
            self._setup.emit(ReplyErrorEvent(client_id=client_id, chat_id=chat_id, turn_id=turn.id, error=error))
