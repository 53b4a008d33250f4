"""Shortens a text of a model's server for an error message."""

import re

from svc.protocol.invisible_text import readable_text

_MAX_CHARS = 300
_SPACE = re.compile(r"\s+")


def excerpt_of(text: str, key: str | None = None) -> str:
    """One line of at most 300 characters.

    Args:
        text: the server's text
        key: replaced before the text is cut, because some servers repeat it
    """
    safe = text.replace(key, "…") if key else text
    line = _SPACE.sub(" ", readable_text(safe)).strip()
    return f"{line[: _MAX_CHARS - 1]}…" if len(line) > _MAX_CHARS else line
