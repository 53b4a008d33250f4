"""The beginning of a text of a model's server, for an error message."""

import re

_MAX_CHARS = 300
#: Control characters would reach a terminal.
_SPACE = re.compile(r"[\s\x00-\x1f\x7f]+")


def excerpt_of(text: str, key: str | None = None) -> str:
    """One line of at most 300 characters.

    Args:
        text: what the server said
        key: replaced before the text is cut: some servers repeat it
    """
    safe = text.replace(key, "…") if key else text
    line = _SPACE.sub(" ", safe).strip()
    return f"{line[: _MAX_CHARS - 1]}…" if len(line) > _MAX_CHARS else line
