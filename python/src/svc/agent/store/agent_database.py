"""The SQLite file of an agent: opened at the first use, closed when the agent ends.

Errors: StoreError, which names the file and the remedy.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from svc.agent.store.store_error import StoreError, to_store_error
from svc.agent.well_formed import well_formed

_SCHEMA = Path(__file__).with_name("store.sql")
_SCHEMA_VERSION = 1
#: Strict tables.
_MIN_SQLITE = (3, 37)
#: Seconds that a statement waits for another process.
_BUSY_TIMEOUT = 1.0
#: WAL with NORMAL: a commit survives a crash of the process; a power loss may undo the last ones.
_PRAGMAS = ("foreign_keys = ON", "journal_mode = WAL", "synchronous = NORMAL")


class AgentDatabase:
    """One connection. Calls are synchronous and short, so they run in the thread of the event loop.

    A prompt may also be set in another thread, hence the lock.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.RLock()

    def all(self, sql: str, values: Mapping[str, object]) -> list[sqlite3.Row]:
        with self._use() as connection:
            return connection.execute(sql, _bindable(values)).fetchall()

    def run(self, sql: str, values: Mapping[str, object]) -> int:
        """Changes rows.

        Returns:
            The number of rows that changed.
        """
        with self._use() as connection:
            return connection.execute(sql, _bindable(values)).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Runs the block as one transaction. Inside another transaction the block joins the outer one."""
        with self._use() as connection:
            if connection.in_transaction:
                yield
                return
            with _immediate_transaction(connection):
                yield

    def close(self) -> None:
        with self._lock:
            if self._connection:
                self._connection.close()
            self._connection = None

    def __del__(self) -> None:
        # A program that only sets a prompt never runs the agent, whose end closes the file.
        self.close()

    @contextmanager
    def _use(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                self._connection = self._connection or _open(self._path)
                yield self._connection
            except sqlite3.IntegrityError:
                raise
            except sqlite3.Error as error:
                raise to_store_error(error, self._path) from error


def _open(path: str) -> sqlite3.Connection:
    if sqlite3.sqlite_version_info < _MIN_SQLITE:
        raise StoreError(
            f"The agent's store needs SQLite 3.37 or newer, and this Python has {sqlite3.sqlite_version}: update Python"
        )
    if path != ":memory:":
        _create_privately(path)
    connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT, isolation_level=None, check_same_thread=False)
    try:
        connection.row_factory = sqlite3.Row
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").fetchall()
        with _immediate_transaction(connection):
            _migrate(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _bindable(values: Mapping[str, object]) -> dict[str, object]:
    return {name: well_formed(value) if isinstance(value, str) else value for name, value in values.items()}


def _create_privately(path: str) -> None:
    """Only the owner of the file may read its conversations. SQLite gives the files -wal and -shm the same mode."""
    # SQLite cannot open the file either then, and its error has a remedy.
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))


def _migrate(connection: sqlite3.Connection, path: str) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > _SCHEMA_VERSION:
        raise StoreError(
            f"{path} was written by a newer version of svc-sdk, or by another program: update svc-sdk, or name another "
            "file"
        )
    if version == 0:
        for statement in _statements(_SCHEMA.read_text(encoding="utf-8")):
            connection.execute(statement)


def _statements(script: str) -> Iterator[str]:
    """One statement at a time: ``executescript`` would commit the transaction first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


@contextmanager
def _immediate_transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # SQLite itself rolls back after some errors, such as a full disk.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
