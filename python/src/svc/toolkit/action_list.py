"""The list of a toolkit's actions on the wire. A short list is inside ``register``.

A long list has a name: it is sent once, in frames that the service parses quickly, and later only its changes are sent.

Source: docs/protocol.md, section 6, "Long lists".
"""

import hashlib
from collections.abc import Iterable

from svc.protocol.json_text import to_json
from svc.toolkit.action import Action

#: Characters that the service parses in about a millisecond.
_MAX_FRAME_CHARS = 64 * 1024


class ActionList:
    """A snapshot of the list."""

    def __init__(self, actions: Iterable[Action]) -> None:
        #: Action name -> the text of its registration.
        self._texts = {action.name: to_json(action.registration) for action in actions}
        #: The JSON array of all registrations.
        self.json = f"[{','.join(self._texts.values())}]"
        #: True if one frame holds the list.
        self.is_short = len(self.json) <= _MAX_FRAME_CHARS
        #: Equal for equal lists, also in other processes.
        self.id = hashlib.sha256(self.json.encode()).hexdigest()

    @property
    def size(self) -> int:
        return len(self._texts)

    def parts_since(self, base: "ActionList | None" = None) -> list[str]:
        """JSON arrays, each for one frame, of the actions that are new or changed compared with the other list; of all
        actions without another list.
        """
        parts: list[list[str]] = []
        room = 0
        for name, text in self._texts.items():
            if base is not None and base._texts.get(name) == text:
                continue
            if room < len(text):
                parts.append([])
                room = _MAX_FRAME_CHARS
            parts[-1].append(text)
            room -= len(text) + 1
        return [f"[{','.join(texts)}]" for texts in parts]

    def removed_since(self, base: "ActionList") -> list[str]:
        """Names of the actions that only the other list has."""
        return [name for name in base._texts if name not in self._texts]
