"""Commands and codes, which the agent answers without the model."""

import re
from collections.abc import Callable

from svc.protocol.connections import read_confirmation_code

NEW_COMMAND = "/new"
STOP_COMMAND = "/stop"
_START = re.compile(r"\s*/start\s+", re.IGNORECASE)
_CODE_IN_TEXT = re.compile(r"(?<![\w-])\w{5}-\w{5}(?![\w-])", re.ASCII)


def is_command(message: str, command: str) -> bool:
    return message.strip().lower() == command


def read_yes_or_no(message: str) -> bool | None:
    """The answer in a text to a question; None for any other text."""
    word = message.strip().lower()
    word = word[:-1] if word.endswith((".", "!")) else word
    if word in ("yes", "y"):
        return True
    return False if word in ("no", "n") else None


def read_code(message: str, is_expected: Callable[[], bool]) -> str | None:
    """The code of a connect page in a message. Links of Telegram send it as ``/start <code>``.

    Args:
        message: of a person.
        is_expected: true if the person was asked for a code: then it may be inside a sentence, and a word of ten
            letters may be one.
    """
    start = _START.match(message)
    text = message[start.end() :] if start else message
    whole = read_confirmation_code(text)
    if whole is not None and (start or "-" in text):
        return whole
    inside = _CODE_IN_TEXT.search(text)
    code = whole or (read_confirmation_code(inside[0]) if inside else None)
    return code if code is not None and is_expected() else None
