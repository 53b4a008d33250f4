"""Handles a received message: as a new turn, as a command, or as the answer to a question."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from svc.agent.abort_signal import within
from svc.agent.background import Background
from svc.agent.clock import now_ms
from svc.agent.events import ReplyErrorEvent, TurnEndEvent
from svc.agent.model.ask_model import TokenCount
from svc.agent.store.agent_turn import AgentTurn, TurnState
from svc.agent.store.store_error import patiently
from svc.agent.turns.approvals import may_answer
from svc.agent.turns.await_decision import deciding_of
from svc.agent.turns.closing import closing_messages
from svc.agent.turns.commands import NEW_COMMAND, STOP_COMMAND, is_command, read_code, read_yes_or_no
from svc.agent.turns.connections import after_wrong_code, waiting_for
from svc.agent.turns.lanes import Lanes
from svc.agent.turns.setup import TurnSetup
from svc.agent.turns.turn_tools import CodeOutcome
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


#: Hands a pressed button to the chats of approvers. True for an answer to one of their questions.
Press = Callable[[str, MessageContext], Awaitable[bool]]


class Intake:
    """Writes received messages to the file."""

    def __init__(self, setup: TurnSetup, lanes: Lanes, background: Background, press: Press) -> None:
        self._setup = setup
        self._press = press
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
        client_id = client.client_id
        if ctx is not None and ctx.answer and await self._press(client_id, ctx):
            await patiently(lambda: self._write(client, None))
            return
        if ctx is not None and (code := await self._code_in(client_id, ctx)):
            outcome = await self._setup.tools.of(client_id, ctx).confirm(code)
            await patiently(lambda: self._write_code(client, ctx, outcome))
            self._lanes.wake(client, ctx.chat_id)
            return
        stopped = await patiently(lambda: self._write(client, ctx))
        if ctx is None:
            return
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
                    if command == NEW_COMMAND:
                        self._setup.tools.forget(client_id, ctx.chat_id)
                    return self._command(client_id, ctx, command)
            is_handled = self._end_wait(client_id, ctx) or self._answer(client_id, ctx)
            if not is_handled and not ctx.answer:
                turns.add(client_id, ctx, "queued")
        return []

    async def _code_in(self, client_id: str, ctx: MessageContext) -> str | None:
        """The code of a connect page in the message."""
        turns = self._setup.store.turns

        def is_expected() -> bool:
            return turns.asks_for_account(client_id, ctx.user_id, now_ms())

        return await patiently(lambda: read_code(ctx.message, is_expected))

    def _write_code(self, client: BaseClient, ctx: MessageContext, outcome: CodeOutcome) -> None:
        """Neither the model nor the store gets the code. The turn that waits for it goes on."""
        client_id = client.client_id
        turns = self._setup.store.turns
        read = replace(ctx, message="", images=[])
        with turns.take_in(client_id, client.cursor):
            turn = self._waiting_turn(client_id, ctx)
            if turn is None:
                text = self._setup.prompt(f"reply.connect.{outcome}", client_id, ctx.chat_id)
                messages: list[Message] = [
                    {"role": "user", "content": "[a code]"},
                    {"role": "assistant", "content": text},
                ]
                turns.add(client_id, read, "replying", messages)
            # A code that the platform delivers twice counts once.
            elif turns.add(client_id, read, "done") is not None:
                assert turn.connecting
                if outcome == "wrong":
                    turn.connecting = after_wrong_code(turn.connecting)
                elif outcome == "later":
                    turn.connecting["note"] = "reply.connect.later"
                turns.write(turn, "asking" if outcome == "later" else "running")

    def _waiting_turn(self, client_id: str, ctx: MessageContext) -> AgentTurn | None:
        """The turn of the chat that waits for an account of this person."""
        opened = self._setup.store.turns.open(client_id, ctx.chat_id)
        return next((turn for turn in opened if turn.ctx.user_id == ctx.user_id and waiting_for(turn)), None)

    def _end_wait(self, client_id: str, ctx: MessageContext) -> bool:
        """Ends the wait for an account after any other message of the person than its code."""
        turns = self._setup.store.turns
        turn = None if ctx.answer else self._waiting_turn(client_id, ctx)
        if turn is None or turn.connecting is None:
            return False
        is_no = read_yes_or_no(ctx.message) is False
        # A message that the platform delivers twice must not end a later wait.
        if turns.add(client_id, ctx, "done" if is_no else "queued") is not None:
            earlier = turn.connecting
            turn.connecting = {"toolkit": earlier["toolkit"], "until": earlier["until"], "ended": "declined"}
            turns.write(turn, "running")
        return True

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
        if turn is None or turn.approval is None or waiting_for(turn) or deciding_of(turn):
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
