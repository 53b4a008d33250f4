"""Ids that are the same everywhere: wire, search results, static tools, logs.

Shape: action id = ``<toolkit id>__<action name>``, at most 64 characters of ``[A-Za-z0-9_-]``: every model provider
    accepts it as a function name. A toolkit id has no ``__``, so the first ``__`` separates the two parts.
"""

import re
import unicodedata

from svc.errors import SvcError
from svc.protocol.json_text import quoted

MAX_IDEMPOTENCY_KEY_CHARS = 255
_MAX_ACTION_ID_CHARS = 64
_MAX_TOOLKIT_ID_CHARS = 32
_MAX_CALLER_ID_CHARS = 200
_MAX_SHOWN_CHARS = 100
_SEPARATOR = "__"
_TOOLKIT_ID = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_ACTION_NAME = re.compile(r"[A-Za-z0-9_-]+")
_HEADER_TEXT = re.compile(r"[\x21-\x7e]+")


def is_action_id(text: str) -> bool:
    """True if the text can be the id of an action."""
    toolkit, border, action = text.partition(_SEPARATOR)
    is_short = len(text) <= _MAX_ACTION_ID_CHARS
    return is_short and border != "" and is_toolkit_id(toolkit) and _ACTION_NAME.fullmatch(action) is not None


def toolkit_of(action: object) -> str | None:
    """The toolkit id of an action id; None for any other value."""
    return action.partition(_SEPARATOR)[0] if isinstance(action, str) and is_action_id(action) else None


def is_toolkit_id(text: str) -> bool:
    """True if the text can be the id of a toolkit: lower-case words with single ``-`` or ``_`` between them."""
    return len(text) <= _MAX_TOOLKIT_ID_CHARS and _TOOLKIT_ID.fullmatch(text) is not None


def action_name_problem(name: object) -> str | None:
    """A sentence that names the mistake in an action's name and the correction; None for a valid name."""
    if not isinstance(name, str) or name == "":
        return 'An action needs a name: a text such as "get_weather"'
    shown = name[:_MAX_SHOWN_CHARS]
    if not _ACTION_NAME.fullmatch(name):
        return f'Action name {quoted(shown)} may have only A-Z a-z 0-9 _ -; write "{_to_action_name(shown)}"'
    room = _MAX_ACTION_ID_CHARS - len(_SEPARATOR)
    if len(name) > room:
        return f"Action name {quoted(shown)} has {len(name)} characters; at most {room} fit into the action id"
    return None


def check_header_text(name: str, text: object, max_chars: int = _MAX_CALLER_ID_CHARS) -> None:
    """Refuses a text that a header cannot hold.

    Raises:
        SvcError: INVALID_REQUEST
    """
    if isinstance(text, str) and len(text) <= max_chars and _HEADER_TEXT.fullmatch(text):
        return
    raise SvcError(
        "INVALID_REQUEST",
        f"{name} must be 1 to {max_chars} visible ASCII characters without spaces: use urllib.parse.quote, "
        "or a hash of a longer one",
    )


def _to_action_name(name: str) -> str:
    letters = "".join(each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))
    return "_".join(re.findall(r"[A-Za-z0-9]+", letters))[:_MAX_ACTION_ID_CHARS] or "my_action"
