r"""A long text as several messages.

Shape: pieces in order, none blank. White space at a cut is dropped, and Windows line ends become ``\n``. A fenced code
    block that has to be cut is closed in one piece and opened again, with its language, in the next.
Units: ``limit`` in code units of UTF-16, or in code points. Every piece keeps it, except a single character that is
    longer.
Source: CommonMark 0.31, section 4.5, for code fences. ``test/vectors/split.json`` is the same for every language.
"""

import re
from enum import IntEnum
from typing import NamedTuple

from svc.client.code_fence import CodeFence
from svc.client.text_units import WHITE_SPACE, TextUnit, character_at, length_in

_BLANK_LINES = re.compile(r"(?:[ \t]*\n)+")
_SPACE_AFTER_CUT = re.compile(r"(?:[ \t]*\n)+|[ \t]+")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")
#: The number of characters after a line that are searched for the end of a paragraph.
_PARAGRAPH_END_LIMIT = 100


class _Rank(IntEnum):
    """Cuts by preference; within a rank the last cut that fits."""

    PARAGRAPH = 0
    LINE = 1
    CODE_LINE = 2
    WORD = 3
    EARLY_WORD = 4
    CHARACTER = 5


class _Cut(NamedTuple):
    end: int
    #: The end of a code block at the end of the piece, or ``""``.
    closing: str = ""
    #: The first line of the code block that continues in the next piece, or ``""``.
    opening: str = ""


def split(text: str, limit: int, unit: TextUnit = "utf16") -> list[str]:
    """Cuts a text into pieces of at most ``limit``.

    A piece ends at a paragraph, else at a line, else at a line of code, else at a word, and never within a character. A
    cut in the first half of the limit is made only if no word ends in the second half.

    Args:
        text: as the model wrote it
        limit: how much one message may hold
        unit: how the platform counts
    """
    pieces = []
    rest = _without_start(_BLANK_LINES, text.replace("\r\n", "\n")).rstrip(WHITE_SPACE)
    while rest:
        cut = _find_cut(rest, limit, unit)
        piece = f"{rest[: cut.end].rstrip(WHITE_SPACE)}{cut.closing}"
        if piece.strip(WHITE_SPACE):
            pieces.append(piece)
        rest = rest[cut.end :]
        rest = f"{cut.opening}\n{rest.removeprefix(chr(10))}" if cut.opening else _without_start(_SPACE_AFTER_CUT, rest)
    return pieces


def _find_cut(text: str, limit: int, unit: TextUnit) -> _Cut:
    fence = CodeFence(text)
    cuts: dict[_Rank, _Cut] = {}
    used = 0
    index = 0
    while index < len(text):
        character = character_at(text, index)
        used_next = used + length_in(unit, character)
        fence.move_to(index)
        if index > 0 and fence.may_cut and used + length_in(unit, fence.closing) <= limit:
            rank = _rank_at(text, index, in_code=fence.opening != "", is_early=used < limit / 2)
            cuts[rank] = _Cut(index, fence.closing, fence.opening)
        if used_next > limit:
            # No cut fits a limit that is shorter than the lines of a fence, or than one character.
            return cuts[min(cuts)] if cuts else _Cut(index or len(character))
        used = used_next
        index += len(character)
    return _Cut(index)


def _rank_at(text: str, index: int, *, in_code: bool, is_early: bool) -> _Rank:
    if text[index] not in " \t\n":
        return _Rank.CHARACTER
    if is_early:
        return _Rank.EARLY_WORD
    if text[index] != "\n":
        return _Rank.WORD
    if in_code:
        return _Rank.CODE_LINE
    return _Rank.PARAGRAPH if _PARAGRAPH_END.match(text, index, index + _PARAGRAPH_END_LIMIT) else _Rank.LINE


def _without_start(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.match(text)
    return text[match.end() :] if match else text
