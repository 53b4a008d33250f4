"""The fenced code block around a place in a text, for places in rising order."""

import re

_OPENING = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})[ \t]*(\S*)")
_CLOSING = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*")


class CodeFence:
    """Follows the code blocks of a text with ``move_to``.

    Attributes:
        opening: The first line of the block, with its language; ``""`` outside of code.
        closing: The end of a piece that is cut here.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._marker = ""
        self._first_line = ""
        self._fence_start = 0
        self._code_start = 0
        # The end of the closing line, after it is reached.
        self._end: int | None = None
        self._index = 0

    def move_to(self, index: int) -> None:
        self._index = index
        if self._end is not None and index >= self._end:
            self._marker = ""
            self._end = None
        if index > 0 and self._text[index - 1] != "\n":
            return
        line = self._line_at(index)
        if self._marker == "":
            self._open(line)
        elif self._is_closing(line):
            self._end = index + len(line)

    @property
    def may_cut(self) -> bool:
        """False where a cut would leave an empty block: in the lines of the fence, or around no code."""
        if self._marker == "" or self._is_before:
            return True
        if self._index <= self._code_start or self._end is not None:
            return False
        return self._text[self._index] != "\n" or not self._is_closing(self._line_at(self._index + 1))

    @property
    def closing(self) -> str:
        return "" if self.opening == "" else f"\n{self._marker}"

    @property
    def opening(self) -> str:
        return "" if self._marker == "" or self._is_before else self._first_line

    @property
    def _is_before(self) -> bool:
        return self._index <= self._fence_start

    def _open(self, line: str) -> None:
        match = _OPENING.match(line)
        if not match:
            return
        self._marker, language = match.groups()
        self._first_line = f"{self._marker}{language}"
        self._fence_start = self._index
        self._code_start = self._index + len(line) + 1

    def _is_closing(self, line: str) -> bool:
        match = _CLOSING.fullmatch(line)
        return match is not None and match[1].startswith(self._marker)

    def _line_at(self, index: int) -> str:
        end = self._text.find("\n", index)
        return self._text[index : end if end >= 0 else len(self._text)]
