"""The agent's file cannot be read or written."""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


class StoreError(Exception):
    """The agent's file cannot be used. The message names the file and the remedy.

    Attributes:
        may_pass: True if another try may succeed soon: the file is locked, the disk is full or failed.
    """

    def __init__(self, message: str, *, may_pass: bool = False) -> None:
        super().__init__(message)
        self.may_pass = may_pass


#: Remedies by SQLite's primary result code, https://www.sqlite.org/rescode.html.
_REMEDIES = {
    5: "another process has locked it; stop that process",
    8: "it is read-only; give this user the right to write it and to make files beside it",
    10: "the disk failed; look at the messages of the system",
    11: "it is damaged; restore it from a backup, or name a new file",
    13: "the disk is full; make room",
    14: "it cannot be opened; create its folder, and give this user the right to write there",
    26: "it is not a SQLite database; name another file",
}
_PASSING = frozenset((5, 6, 10, 13))

_TRY_AGAIN = 0.1
_GIVE_UP = 5.0


def to_store_error(error: sqlite3.Error, path: str) -> StoreError:
    code = _primary_code(error)
    said = _REMEDIES.get(code, str(error))
    return StoreError(f"The agent's store {path} cannot be used: {said}", may_pass=code in _PASSING)


async def patiently(work: Callable[[], Result]) -> Result:
    """Tries again for five seconds while the file is locked or the disk full.

    An agent that cannot write must not act, so the last failure ends the agent.

    Raises:
        StoreError: if the last try failed too
    """
    give_up_at = time.monotonic() + _GIVE_UP
    while True:
        try:
            return work()
        except StoreError as error:
            if not error.may_pass or time.monotonic() >= give_up_at:
                raise
        await asyncio.sleep(_TRY_AGAIN)


def _primary_code(error: sqlite3.Error) -> int:
    # The code is absent in errors of Python's own module, such as a wrong number of parameters.
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
