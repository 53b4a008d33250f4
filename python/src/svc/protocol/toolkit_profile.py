"""A toolkit's page for people: README, icon, homepage, category and version. Models read none of it.

docs/protocol.md, section 6, "Profile".
"""

import base64
import re
import unicodedata
from collections.abc import Callable
from typing import Literal, get_args
from urllib.parse import urlsplit

from svc.protocol.json_text import quoted
from svc.protocol.utf16 import utf16_length

ToolkitCategory = Literal[
    "communication",
    "commerce",
    "data",
    "developer",
    "documents",
    "finance",
    "media",
    "productivity",
    "science",
    "search",
    "travel",
    "other",
]
TOOLKIT_CATEGORIES: tuple[str, ...] = get_args(ToolkitCategory)

MAX_README_BYTES = 65_536
MAX_ICON_BYTES = 65_536
_MAX_HOMEPAGE_CHARS = 2_048
_MAX_VERSION_CHARS = 64
_MAX_SHOWN_CHARS = 64
#: The base64 of the first bytes, which show the type.
_HEAD_CHARS = 16
_DATA_URL = re.compile(r"data:([^;,]*);base64,(.*)", re.DOTALL)
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")


def profile_problem(member: str, value: object) -> str | None:
    """A sentence that says what to send in place of a wrong value; None for a good one."""
    return _CHECKS[member](value) if isinstance(value, str) else "it is a text, or None to remove it"


def icon_type_of(data: bytes) -> str | None:
    """The type that the first bytes show; None for SVG and everything else that is not one of the three."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    return "image/webp" if data.startswith(b"RIFF") and data[8:12] == b"WEBP" else None


def icon_size_problem(size: int) -> str | None:
    if size <= MAX_ICON_BYTES:
        return None
    return f"it has {size} bytes; at most {MAX_ICON_BYTES} are allowed, 128 × 128 pixels are enough"


def _readme_problem(text: str) -> str | None:
    size = len(text.encode("utf-8", "replace"))
    if size > MAX_README_BYTES:
        return f"it has {size} bytes; at most {MAX_README_BYTES} are allowed, shorten it and link to the rest"
    return _character_problem(text, "\t\n\r")


def _icon_problem(text: str) -> str | None:
    if text.lower().startswith("data:image/svg"):
        return "an SVG can hold scripts; convert it to PNG, JPEG or WebP"
    found = _DATA_URL.fullmatch(text)
    named, data = found.groups() if found else ("", "")
    if named not in {"image/png", "image/jpeg", "image/webp"}:
        return 'it is a data URL: "data:image/png;base64,…", or image/jpeg, or image/webp'
    if not data or len(data) % 4 or not _BASE64.fullmatch(data):
        return 'the data after "base64," are not base64 with its padding'
    if problem := icon_size_problem(len(data) * 3 // 4 - data.count("=")):
        return problem
    shown = icon_type_of(base64.b64decode(data[:_HEAD_CHARS]))
    if shown == named:
        return None
    actual = f"{shown}; name it so" if shown else "none of PNG, JPEG and WebP; convert it to one"
    return f"it is named {named}, but its bytes are {actual}"


def _homepage_problem(text: str) -> str | None:
    length = utf16_length(text)
    if length > _MAX_HOMEPAGE_CHARS:
        return f"it has {length} characters; at most {_MAX_HOMEPAGE_CHARS} are allowed"
    try:
        url = urlsplit(text)
        is_address = bool(url.hostname) and url.port != 0
    except ValueError:
        is_address = False
    has_gap = any(char.isspace() or unicodedata.category(char) == "Cc" for char in text)
    if has_gap or not is_address or not re.match(r"https?://", text, re.IGNORECASE):
        return 'it is an address such as "https://example.com/weather"; only https:// and http:// are allowed'
    return "everybody reads it: remove the user name and the password" if url.username or url.password else None


def _category_problem(text: str) -> str | None:
    if text in TOOLKIT_CATEGORIES:
        return None
    wanted = text.lower()[:_MAX_SHOWN_CHARS]
    nearest = min(TOOLKIT_CATEGORIES, key=lambda name: _edits_between(wanted, name))
    is_near = _edits_between(wanted, nearest) <= len(nearest) / 2
    hint = f' Did you mean "{nearest}"?' if is_near else ""
    return f"{quoted(text[:_MAX_SHOWN_CHARS])} is not a category.{hint} The categories: {', '.join(TOOLKIT_CATEGORIES)}"


def _version_problem(text: str) -> str | None:
    if not text.strip():
        return 'it is a text such as "1.4.0", or null to remove it'
    if len(text) > _MAX_VERSION_CHARS:
        return f"it has {len(text)} characters; at most {_MAX_VERSION_CHARS} are allowed"
    return _character_problem(text, "")


def _character_problem(text: str, allowed: str) -> str | None:
    for char in text:
        category = unicodedata.category(char)
        if category == "Cc" and char not in allowed:
            return f"it has the control character U+{ord(char):04X}; remove it"
        if category == "Cs":
            return "it has half a character (a lone surrogate); remove it"
    return None


def _edits_between(one: str, other: str) -> int:
    """The Levenshtein distance."""
    row = list(range(len(other) + 1))
    for index, char in enumerate(one):
        following = [index + 1]
        for at, wanted in enumerate(other):
            following.append(min(row[at] + (char != wanted), row[at + 1] + 1, following[at] + 1))
        row = following
    return row[-1]


_CHECKS: dict[str, Callable[[str], str | None]] = {
    "readme": _readme_problem,
    "icon": _icon_problem,
    "homepage": _homepage_problem,
    "category": _category_problem,
    "version": _version_problem,
}
