"""The text of a post, cut to what X accepts.

Units: 280, weighted: most characters of European languages weigh 1, an emoji, a Chinese or Japanese character 2, a link
    23.
Source: docs.x.com, "Counting characters", and ``config/v3.json`` of github.com/twitter/twitter-text.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from svc.client.text_units import WHITE_SPACE, length_in
from svc.client.x.characters import characters_of
from svc.client.x.emoji_sequences import is_emoji_sequence

_MAX_WEIGHT = 280
_LINK_WEIGHT = 23
_DEFAULT_WEIGHT = 2
#: Code points of weight 1, first and last.
_LIGHT_RANGES = ((0x0000, 0x10FF), (0x2000, 0x200D), (0x2010, 0x201F), (0x2032, 0x2037))
_ELLIPSIS = "…"

#: A link as X finds it, or shorter: an underestimated weight would get the post refused. X knows the top-level domains
#: and takes words such as `notes.md` for links; here every word with a dot and two letters behind it weighs at least as
#: much.
_LINK = re.compile(
    r"https?://(?:[\w-]{1,63}\.)+[a-z]{2,24}(?![a-z0-9@])(?::[0-9]+)?"
    r"(?:[/?](?:[a-z0-9_\-./?%&=+#~:@!$,;*'\[\]|]*[a-z0-9_=#/-])?)?"
    r"|(?<![a-z0-9_@#$.-])(?:[a-z0-9_-]{1,63}\.)+[a-z]{2,24}(?![a-z0-9@])",
    re.IGNORECASE,
)


class _Unit(NamedTuple):
    """A link or a character, which must not be cut."""

    text: str
    weight: int


def fit_post(text: str) -> str:
    """The text itself if it fits; otherwise its beginning, cut behind a word, and ``…``."""
    normal = unicodedata.normalize("NFC", text).strip(WHITE_SPACE)
    room = _MAX_WEIGHT - post_weight(_ELLIPSIS)
    weight = index = end = word_end = 0
    for unit in _units_of(normal):
        if weight <= room and unit.text[0] in WHITE_SPACE:
            word_end = index
        weight += unit.weight
        index += len(unit.text)
        if weight <= room:
            end = index
        if weight > _MAX_WEIGHT:
            # Cut in UTF-16 code units like the TypeScript SDK: X detects a repeated reply only by equal text.
            is_late = length_in("utf16", normal[:word_end]) > length_in("utf16", normal[:end]) / 2
            return normal[: word_end if is_late else end].rstrip(WHITE_SPACE) + _ELLIPSIS
    return normal


def post_weight(text: str) -> int:
    """The length of a text as X counts it, at most 280 for a post."""
    return sum(unit.weight for unit in _units_of(unicodedata.normalize("NFC", text)))


def _units_of(text: str) -> Iterator[_Unit]:
    index = 0
    for link in _LINK.finditer(text):
        yield from _characters_of(text[index : link.start()])
        found = link[0]
        yield _Unit(found, _LINK_WEIGHT if "://" in found else max(_LINK_WEIGHT, len(found)))
        index = link.end()
    yield from _characters_of(text[index:])


def _characters_of(text: str) -> Iterator[_Unit]:
    for character in characters_of(text):
        yield _Unit(character, _weight_of(character))


def _weight_of(character: str) -> int:
    """The weight of a character. Joined emoji that Unicode does not recommend weigh more than X may say, never less."""
    if len(character) > 1 and is_emoji_sequence(character):
        return _DEFAULT_WEIGHT
    return sum(1 if _is_light(ord(point)) else _DEFAULT_WEIGHT for point in character)


def _is_light(point: int) -> bool:
    return any(first <= point <= last for first, last in _LIGHT_RANGES)
