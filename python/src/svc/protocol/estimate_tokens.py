"""Estimates the tokens of a text, without shipping a tokenizer: the estimate of `src/protocol/estimate-tokens.ts`.

Runs of letters, digits and marks count, each at what it costs in JSON of real actions.

Units: tokens of o200k_base, on the safe side.
Source: the pieces into which o200k_base cuts a text before it merges bytes: a word takes one mark or space before it,
    digits form groups of three.
"""

import math
import re
from itertools import chain

#: The vocabulary may contain only single bytes for rare characters: Myanmar to Vedic; technical signs, Braille; Han
#: extension A; Yi to Meetei Mayek; private use, compatibility and presentation forms.
_RARE = "\u1000-\u1dff\u2300-\u2fff\u3400-\u4dbf\ua000-\uabff\ue000-\ufeff"
#: Characters that are two UTF-16 units, and halves of them.
_PAIRED = "\U00010000-\U0010ffff\ud800-\udfff"
_RUN = re.compile(
    rf"(?P<upper>[A-Z]+)|(?P<lower>[a-z]+)|(?P<digit>[0-9]+)|(?P<space>[\t-\r ]+)|(?P<backslash>\\+)"
    rf"|(?P<rare>[{_RARE}]+)|(?P<paired>[{_PAIRED}]+)|(?P<other>[^\x00-\x7f{_RARE}{_PAIRED}]+)"
    r"|(?P<mark>[^A-Za-z0-9\t-\r \\\x80-\U0010ffff]+)"
)
#: The kinds before which a single mark costs nothing.
_AFTER_A_MARK = ("lower", "upper", "rare", "paired", "other")
#: Letters of a word that most vocabularies still hold as one token.
_USUAL_WORD_CHARS = 10
_SAFETY = 1.03


def estimate_tokens(text: str) -> int:
    """The tokens of the text, rounded up."""
    tokens = 0.0
    kind, run, capitals = "", "", 0
    for next_kind, next_run in chain(((str(found.lastgroup), found[0]) for found in _RUN.finditer(text)), [("", "")]):
        if kind == "upper" and next_kind == "lower":
            # `Weather` is one word; of `HTTPServer` all but the last capital are a word of their own.
            capitals = len(run)
        else:
            tokens += _cost_of(kind, run, next_kind, capitals)
            capitals = 0
        kind, run = next_kind, next_run
    return math.ceil(tokens * _SAFETY)


def _cost_of(kind: str, run: str, next_kind: str, capitals: int) -> float:
    length = len(run)
    match kind:
        case "lower":
            long = max(0, length + capitals - _USUAL_WORD_CHARS) * 0.1
            return 1 + long + max(0, length - 2 * _USUAL_WORD_CHARS) * 0.3 + _acronym(capitals - 1)
        case "upper":
            return _acronym(length)
        case "digit":
            return math.ceil(length / 3)
        case "space":
            return 0 if length == 1 and next_kind != "digit" else 1
        case "mark":
            if length == 1 and next_kind in _AFTER_A_MARK:
                return 0
            return 1 if length <= 3 else math.ceil(length / 2)
        case "rare":
            return 3 * length
        case "paired":
            # Two for each half.
            return sum(2 if unit < "\U00010000" else 4 for unit in run)
        case _:
            return length


def _acronym(length: int) -> float:
    if length <= 0:
        return 0
    return 1.2 if length <= 3 else length / 3
