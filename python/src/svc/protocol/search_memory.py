"""Remembers the recent searches of one conversation, to find the search that showed a called action.

Shape: search ids, oldest first; bounded.
Source: docs/protocol.md, section 4, "Search ids".
"""

from collections import deque
from collections.abc import Iterable

_MAX_SEARCHES = 20


class SearchMemory:
    """Ids of searches, each with the action ids that it showed."""

    def __init__(self) -> None:
        self._searches: deque[tuple[str, frozenset[str]]] = deque(maxlen=_MAX_SEARCHES)

    def add(self, search_id: str, shown: Iterable[str]) -> None:
        self._searches.append((search_id, frozenset(shown)))

    @property
    def newest(self) -> str | None:
        """Id of the newest search."""
        return self._searches[-1][0] if self._searches else None

    def that_showed(self, action: object) -> str | None:
        """Id of the newest search that showed the action."""
        if not isinstance(action, str):
            return None
        return next((search_id for search_id, shown in reversed(self._searches) if action in shown), None)
