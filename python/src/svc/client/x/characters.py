"""Visible characters: the grapheme clusters of Unicode, as far as the standard library supports them.

Marks, skin tones, tags and emoji after a zero-width joiner belong to the character before them. The rules for parts of
Korean syllables and for Indic conjuncts are missing: such a cluster counts as several characters.

Source: Unicode Standard Annex 29, rules GB9 to GB13.
"""

import unicodedata
from collections.abc import Iterator

_JOIN = "\u200d"
_EXTENDERS = ("\u200c", "\uff9e", "\uff9f")
#: Emoji are symbols, except these. The standard library does not know newer emoji.
_PICTOGRAPHIC_CATEGORIES = ("So", "Sm", "Cn")
_OTHER_PICTOGRAPHS = "‼⁉ℹ〰〽"


def characters_of(text: str) -> Iterator[str]:
    """Splits the text into characters, in order."""
    start = 0
    while start < len(text):
        end = _end_of_first(text, start)
        yield text[start:end]
        start = end


def _end_of_first(text: str, start: int) -> int:
    end = start + (2 if _is_pair(text[start : start + 2]) else 1)
    # A joiner joins the pictograph before it with the pictograph after it.
    is_open = _is_pictograph(text[end - 1])
    is_joining = False
    while end < len(text):
        point = text[end]
        if point == _JOIN:
            is_joining, is_open = is_open, False
        elif is_joining and _is_pictograph(point):
            is_joining, is_open = False, True
        elif _is_extender(point):
            is_joining = False
        else:
            break
        end += 1
    return end


def _is_pair(two: str) -> bool:
    """A flag, or the end of a line of Windows."""
    return two == "\r\n" or (len(two) == 2 and _is_regional_indicator(two[0]) and _is_regional_indicator(two[1]))


def _is_regional_indicator(point: str) -> bool:
    return "\U0001f1e6" <= point <= "\U0001f1ff"


def _is_extender(point: str) -> bool:
    return (
        point in _EXTENDERS
        or "\U0001f3fb" <= point <= "\U0001f3ff"
        or "\U000e0020" <= point <= "\U000e007f"
        or unicodedata.category(point).startswith("M")
    )


def _is_pictograph(point: str) -> bool:
    is_symbol = unicodedata.category(point) in _PICTOGRAPHIC_CATEGORIES and not _is_regional_indicator(point)
    return is_symbol or point in _OTHER_PICTOGRAPHS
