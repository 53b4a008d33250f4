"""The rows of an agent's file, in the form of test/vectors/agent-turns.json."""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.support.repository import REPOSITORY

CLIENT_ID = "pipe"
_SCHEMA = REPOSITORY / "test" / "vectors" / "store.sql"


def write_rows(path: Path, rows: dict[str, Any]) -> None:
    now = int(time.time() * 1000)
    with _opened(path) as database:
        database.executescript(_SCHEMA.read_text())
        for setting in rows.get("settings", []):
            database.execute("INSERT INTO svc_setting VALUES ('', :kind, :name, :value)", setting)
        for turn in rows.get("turns", []):
            approval = turn.get("approval")
            ctx = turn.get("ctx", {})
            database.execute(
                "INSERT INTO svc_turn (id, agent_id, client_id, chat_id, message_id, ctx, state, attempts, approval, "
                "error, at) VALUES (?, '', ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    turn.get("id", ""),
                    CLIENT_ID,
                    ctx.get("chat_id"),
                    ctx.get("message_id"),
                    json.dumps(ctx),
                    turn["state"],
                    turn.get("attempts", 0),
                    json.dumps(_from_now(approval, now)) if approval else None,
                    turn.get("error"),
                    now + turn.get("at", 0),
                ),
            )
            for n, body in enumerate(turn["messages"]):
                database.execute("INSERT INTO svc_message VALUES (?, ?, ?)", (turn.get("id", ""), n, json.dumps(body)))
        database.commit()


def _from_now(question: Any, now: int) -> Any:
    """A question whose times are milliseconds from now."""
    if not isinstance(question, dict):
        return question
    return {name: now + value if name == "until" else _from_now(value, now) for name, value in question.items()}


def read_turns(path: Path) -> list[dict[str, Any]]:
    with _opened(path) as database:
        database.row_factory = sqlite3.Row
        rows = database.execute("SELECT id, state, ctx, attempts, approval, error, at FROM svc_turn ORDER BY seq")
        return [_to_turn(database, row) for row in rows.fetchall()]


def read_settings(path: Path) -> list[dict[str, str]]:
    with _opened(path) as database:
        rows = database.execute("SELECT kind, name, value FROM svc_setting ORDER BY kind, name").fetchall()
    return [{"kind": kind, "name": name, "value": value} for kind, name, value in rows]


def _to_turn(database: sqlite3.Connection, row: sqlite3.Row) -> dict[str, Any]:
    bodies = database.execute("SELECT body FROM svc_message WHERE turn_id = ? ORDER BY n", (row["id"],))
    return {
        **dict(row),
        "ctx": json.loads(row["ctx"]),
        "approval": json.loads(row["approval"] or "null"),
        "messages": [json.loads(body) for (body,) in bodies],
    }


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Waits for the lock, because the agent may be writing."""
    with closing(sqlite3.connect(path, timeout=5)) as database:
        yield database
