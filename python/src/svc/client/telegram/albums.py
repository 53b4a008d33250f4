"""Albums. Each picture of an album is a message of its own, and an update of its own."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

Update = dict[str, Any]


def first_together(updates: Sequence[Update]) -> Sequence[Update]:
    """The first update, or all updates at the start that belong to its album."""
    album = _album_of(updates[0]) if updates else None
    if album is None:
        return updates[:1]
    return list(takewhile(lambda update: _album_of(update) == album, updates))


def is_open_album(updates: Sequence[Update]) -> bool:
    """True if further messages of the album may follow."""
    return bool(updates) and _album_of(updates[0]) is not None and len(first_together(updates)) == len(updates)


def _album_of(update: Update) -> str | None:
    album: str | None = update.get("message", {}).get("media_group_id")
    return album
