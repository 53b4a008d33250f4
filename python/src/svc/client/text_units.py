"""The length of a text as platforms count it, and the characters that must not be cut."""

import unicodedata
from typing import Literal

from svc.protocol.utf16 import utf16_length

#: Telegram counts UTF-16 code units, most other platforms code points.
TextUnit = Literal["utf16", "code-points"]

#: The white space that JavaScript's ``trim`` removes. Python's ``strip`` removes other characters, and the pieces must
#: be the same in both languages.
WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f"
    "\u3000\ufeff"
)

_JOINER = "\u200d"


def character_at(text: str, index: int) -> str:
    """The visible character that begins at this index.

    A character is a pair of regional indicators (a flag) or a code point, with its marks, modifiers and joined emoji.
    This rule is simpler than the grapheme clusters of Unicode, so that languages without a segmenter in their standard
    library cut at the same places.
    """
    end = (
        index + 2
        if _is_regional_indicator(text[index : index + 1]) and _is_regional_indicator(text[index + 1 : index + 2])
        else index + 1
    )
    while end < len(text):
        if text[end] == _JOINER and end + 1 < len(text):
            end += 2
        elif _is_extender(text[end]):
            end += 1
        else:
            break
    return text[index:end]


def length_in(unit: TextUnit, text: str) -> int:
    return utf16_length(text) if unit == "utf16" else len(text)


def _is_regional_indicator(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _is_extender(character: str) -> bool:
    """A mark, a skin tone, or a tag of a flag."""
    if character < "\u0300":
        return False
    return (
        "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
        or unicodedata.category(character).startswith("M")
    )
