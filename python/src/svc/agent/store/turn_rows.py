"""Turns and their messages. A state and the messages that caused it are written in one transaction."""

import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from svc.agent.clock import now_ms
from svc.agent.store.agent_database import AgentDatabase
from svc.agent.store.agent_turn import AgentTurn, Approval, LostTurnError, TurnState
from svc.agent.store.context_row import read_context, write_context
from svc.client.message import Message
from svc.client.message_context import MessageContext
from svc.protocol.json_text import from_json, to_json

_COLUMNS = "id, client_id, ctx, state, attempts, approval, error, at"
_IN_CHAT = "agent_id = :agent AND client_id = :client AND chat_id = :chat"


class TurnRows:
    """The rows of ``svc_turn`` and ``svc_message``."""

    def __init__(self, database: AgentDatabase, agent_id: str) -> None:
        self._database = database
        self._agent_id = agent_id

    @contextmanager
    def take_in(self, client_id: str, cursor: object) -> Iterator[None]:
        """Writes the block's rows and the client's cursor in one transaction: every message before the cursor is
        stored.
        """
        with self._database.transaction():
            yield
            self._database.run(
                "UPDATE svc_client SET cursor = :cursor WHERE agent_id = :agent AND client_id = :client",
                {"cursor": to_json(cursor), "agent": self._agent_id, "client": client_id},
            )

    def add(
        self, client_id: str, ctx: MessageContext, state: TurnState, messages: Sequence[Message] = ()
    ) -> str | None:
        """Adds a turn.

        Returns:
            Its id; None if a message with this id is stored already.
        """
        turn_id = f"turn_{secrets.token_hex(12)}"
        with self._database.transaction():
            added = self._database.run(
                "INSERT INTO svc_turn (id, agent_id, client_id, chat_id, message_id, ctx, state, at) "
                "VALUES (:id, :agent, :client, :chat, :message, :ctx, :state, :at) "
                "ON CONFLICT (agent_id, client_id, message_id) DO NOTHING",
                {
                    "id": turn_id,
                    **self._chat(client_id, ctx.chat_id),
                    "message": ctx.message_id,
                    "ctx": write_context(ctx),
                    "state": state,
                    "at": now_ms(),
                },
            )
            if added == 0:
                return None
            self._insert_messages(turn_id, 0, messages)
        return turn_id

    def open_chats(self, client_id: str) -> list[str]:
        """The chats of a client that have unfinished turns."""
        rows = self._database.all(
            "SELECT chat_id, min(seq) AS first FROM svc_turn "
            "WHERE agent_id = :agent AND client_id = :client AND state <> 'done' GROUP BY 1 ORDER BY first",
            {"agent": self._agent_id, "client": client_id},
        )
        return [row["chat_id"] for row in rows]

    def open(self, client_id: str, chat_id: str) -> list[AgentTurn]:
        """The turns of a chat that are not done, oldest first."""
        rows = self._database.all(
            f"SELECT {_COLUMNS} FROM svc_turn WHERE {_IN_CHAT} AND state <> 'done' ORDER BY seq",
            self._chat(client_id, chat_id),
        )
        return [self._to_turn(row) for row in rows]

    def take(self, client_id: str, chat_id: str) -> AgentTurn | None:
        """The oldest turn of a chat that is not done, with one more attempt unless it waits for a person."""
        rows = self._database.all(
            "UPDATE svc_turn SET attempts = attempts + (state <> 'asking') WHERE seq = ("
            f"SELECT min(seq) FROM svc_turn WHERE {_IN_CHAT} AND state <> 'done') RETURNING {_COLUMNS}",
            self._chat(client_id, chat_id),
        )
        return self._to_turn(rows[0]) if rows else None

    def messages(self, turn_id: str) -> list[Message]:
        rows = self._database.all("SELECT body FROM svc_message WHERE turn_id = :id ORDER BY n", {"id": turn_id})
        return [from_json(row["body"]) for row in rows]

    def write(
        self, turn: AgentTurn, state: TurnState, messages: Sequence[Message] = (), error: str | None = None
    ) -> None:
        """Writes the next state and the messages that caused it. Each such write is progress and resets ``attempts`` to
        0.

        Raises:
            LostTurnError: if the stored state is no longer that of ``turn``
        """
        with self._database.transaction():
            changed = self._database.run(
                "UPDATE svc_turn SET state = :state, attempts = 0, ctx = :ctx, approval = :approval, "
                "error = coalesce(:error, error) WHERE id = :id AND state = :before",
                {
                    "state": state,
                    "ctx": write_context(turn.ctx),
                    "approval": _write_questions(turn),
                    "error": error,
                    "id": turn.id,
                    "before": turn.state,
                },
            )
            if changed == 0:
                raise LostTurnError(turn.id)
            self._insert_messages(turn.id, turn.written, messages)
        turn.state = state
        turn.error = error or turn.error
        turn.written += len(messages)

    def save_partial(self, turn: AgentTurn) -> None:
        """Stores ``ctx.partial``. This is not progress, so ``attempts`` does not change."""
        self._database.run(
            "UPDATE svc_turn SET ctx = :ctx WHERE id = :id", {"ctx": write_context(turn.ctx), "id": turn.id}
        )

    def save_shown(self, turn_id: str, approval: Approval) -> None:
        """Adds the platform's id of a question's message after the question was answered."""
        if "shown" not in approval:
            return
        self._database.run(
            "UPDATE svc_turn SET approval = json_set(approval, '$.shown', json(:shown)) "
            "WHERE id = :id AND json_extract(approval, '$.question_id') = :question AND state <> 'done'",
            {"shown": to_json(approval["shown"]), "id": turn_id, "question": approval["question_id"]},
        )

    def asks_for_account(self, client_id: str, user_id: str, now: int) -> bool:
        """True if a turn of the person asked for an account, and its wait would not be over now."""
        rows = self._database.all(
            "SELECT 1 FROM svc_turn WHERE agent_id = :agent AND client_id = :client "
            "AND json_extract(approval, '$.connect.until') > :now AND json_extract(ctx, '$.user_id') = :user LIMIT 1",
            {"agent": self._agent_id, "client": client_id, "now": now, "user": user_id},
        )
        return len(rows) > 0

    def finished(self, client_id: str, chat_id: str) -> Iterator[list[Message]]:
        """The messages of finished turns of a chat, newest turn first; an empty list for a turn without messages."""
        rows = self._database.all(
            f"SELECT id FROM svc_turn WHERE {_IN_CHAT} AND state = 'done' ORDER BY seq DESC",
            self._chat(client_id, chat_id),
        )
        return (self.messages(row["id"]) for row in rows)

    def delete_finished(self, before: int) -> int:
        """Deletes the finished turns whose message arrived before a time in milliseconds since 1970.

        Returns:
            The number of turns that were deleted.
        """
        return self._database.run(
            "DELETE FROM svc_turn WHERE agent_id = :agent AND state = 'done' AND at < :before",
            {"agent": self._agent_id, "before": before},
        )

    def _chat(self, client_id: str, chat_id: str) -> dict[str, str]:
        return {"agent": self._agent_id, "client": client_id, "chat": chat_id}

    def _insert_messages(self, turn_id: str, first: int, messages: Sequence[Message]) -> None:
        try:
            for n, message in enumerate(messages, first):
                self._database.run(
                    "INSERT INTO svc_message (turn_id, n, body) VALUES (:id, :n, :body)",
                    {"id": turn_id, "n": n, "body": to_json(message)},
                )
        except sqlite3.IntegrityError as error:
            raise LostTurnError(turn_id) from error

    def _to_turn(self, row: sqlite3.Row) -> AgentTurn:
        (counted,) = self._database.all(
            "SELECT count(*) AS written FROM svc_message WHERE turn_id = :id", {"id": row["id"]}
        )
        questions: Any = {} if row["approval"] is None else from_json(row["approval"])
        connecting, deciding = questions.pop("connect", None), questions.pop("decide", None)
        return AgentTurn(
            id=row["id"],
            client_id=row["client_id"],
            at=row["at"],
            attempts=row["attempts"],
            ctx=read_context(row["ctx"]),
            state=row["state"],
            approval=questions or None,
            connecting=connecting,
            deciding=deciding,
            error=row["error"],
            written=counted["written"],
        )


def _write_questions(turn: AgentTurn) -> str | None:
    """The column ``approval`` has all questions to people: the members of the approval, ``connect`` and ``decide``."""
    questions: dict[str, Any] = dict(turn.approval or {})
    if turn.connecting:
        questions["connect"] = turn.connecting
    if turn.deciding:
        questions["decide"] = turn.deciding
    return to_json(questions) if questions else None
