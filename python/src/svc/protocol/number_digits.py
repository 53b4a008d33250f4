"""Numbers of a JSON text whose digits a double does not keep: docs/protocol.md, section 3 "Numbers".

Python keeps the digits of its whole numbers, programs in other languages do not.
Cost: one search of the text for 16 digits in a row or an exponent. Only a text with a match is scanned.
"""

import re
from collections.abc import Callable

_MAY_BE_LARGE = re.compile(r"[0-9]{16}|[0-9][eE]\+?[0-9]")
_STRING_OR_NUMBER = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*', re.DOTALL)
_NOT_SIGNIFICANT = re.compile(r"^-|\.|e.*$", re.IGNORECASE)
_MAX_SAFE_INTEGER = 2**53 - 1
#: ECMAScript writes the digits of smaller numbers.
_WRITTEN_WITH_EXPONENT = 1e21


def may_have_large_numbers(text: str) -> bool:
    """True if the JSON text may have a number beyond ±(2^53 - 1). A cheap test that is false for most texts."""
    return _MAY_BE_LARGE.search(text) is not None


def loses_digits(literal: str) -> bool:
    """True if a double would change a number of a JSON text."""
    return _is_large(literal) and not _keeps_digits(literal)


def is_unsafe_number(literal: str) -> bool:
    """True if a payload must not have the number, because its sender may have lost digits already. A number that needs
    its exponent is allowed.
    """
    needs_exponent = "e" in literal.lower() and abs(float(literal)) >= _WRITTEN_WITH_EXPONENT
    return _is_large(literal) and not (needs_exponent and _keeps_digits(literal))


def quote_numbers(text: str) -> str:
    """The valid JSON text, in which numbers that lose digits are texts of their digits."""
    if not may_have_large_numbers(text):
        return text
    return _STRING_OR_NUMBER.sub(_quoted, text)


def _quoted(found: "re.Match[str]") -> str:
    literal = found[0]
    return f'"{literal}"' if literal[0] != '"' and loses_digits(literal) else literal


def _is_large(literal: str) -> bool:
    return abs(float(literal)) > _MAX_SAFE_INTEGER


def _keeps_digits(literal: str) -> bool:
    return _significant_digits(literal) == _significant_digits(repr(float(literal)))


def _significant_digits(literal: str) -> str:
    return _NOT_SIGNIFICANT.sub("", literal).strip("0")


def exact_number(convert: Callable[[str], object]) -> Callable[[str], object]:
    """A number parser for ``json.loads``: a number that loses digits, or is too long for Python, becomes a text."""

    def read(literal: str) -> object:
        try:
            return convert(literal) if convert is int or not loses_digits(literal) else literal
        except ValueError:  # above the limit of `int`, 4,300 digits
            return literal

    return read
