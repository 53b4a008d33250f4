"""Texts of another program's error, for a message: without invisible characters, control sequences and keys, and with
limited length. docs/limits.md.

Units: UTF-16 code units.
"""

import re
from typing import Any

from svc.protocol.invisible_text import readable_text
from svc.protocol.utf16 import first_utf16_units, utf16_length

_MAX_CHARS = 4_096
#: The first characters of a text, of which 4,096 visible ones are kept.
_MAX_READ_CHARS = 65_536
#: Deeper JSON than this is refused by the service.
_MAX_LEVELS = 300
#: Keys and agent tokens.
_KEY = re.compile(r"svc_(agent|toolkit|admin|token)_[0-9A-Za-z_-]{8,}(?:\.[0-9A-Za-z_-]+)*")


def error_text(text: str) -> str:
    """The text of a message."""
    shown = _without_keys(text[:_MAX_READ_CHARS])
    is_whole = len(text) <= _MAX_READ_CHARS and utf16_length(shown) <= _MAX_CHARS
    return shown if is_whole else f"{first_utf16_units(shown, _MAX_CHARS - 1)}…"


def error_json(value: object, levels: int = _MAX_LEVELS) -> Any:
    """JSON of an error. Names and texts stay whole, except keys and invisible characters.

    Values that are nested too deep are dropped.
    """
    if isinstance(value, str):
        return _without_keys(value)
    if not isinstance(value, list | dict):
        return value
    if levels == 0:
        return None
    if isinstance(value, list):
        return [error_json(item, levels - 1) for item in value]
    return {_without_keys(name): error_json(member, levels - 1) for name, member in value.items()}


def _without_keys(text: str) -> str:
    return _KEY.sub(r"svc_\1_…", readable_text(text))
