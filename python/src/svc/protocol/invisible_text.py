"""Characters that a screen does not show or that a terminal executes: an author can hide text in them from the people
who review it, but a model reads it. docs/limits.md.

Shape: controls but tab and line feed, zero-width and bidirectional characters, tags, fillers, variation selectors,
    lone surrogates. Excluded where a script or an emoji needs them: joiners after a letter of a script that joins,
    selectors after their base character, emoji sequences.
Source: UAX #44 (Default_Ignorable_Code_Point), UAX #31 section 2.3 (joiners), UTS #51 (emoji sequences), UTS #37
    (ideographic variation), ECMA-48 section 5.4 (control sequences).
"""

import re
from functools import cache
from typing import Any

from svc.protocol import unicode_ranges
from svc.protocol.json_text import to_json

#: The fastest test: most texts have only these characters.
_OTHER_THAN_ASCII = re.compile(r"[^\t\n\x20-\x7e]")
_MAY_CHANGE = re.compile(r"\\[bfru]|[^\x20-\x7e]")
#: Linear in time: no part of a sequence can begin another sequence.
_CONTROL_SEQUENCE = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\\\|\x9c)"
)
_LINE_END = re.compile("\r\n?|[\x85\u2028\u2029]")


def readable_text(text: str) -> str:
    """Data for a model, without control sequences of terminals and invisible characters. Line ends become LF."""
    if not _OTHER_THAN_ASCII.search(text):
        return text
    return _without_invisible(_LINE_END.sub("\n", _CONTROL_SEQUENCE.sub("", text)))


def readable_json(value: object) -> Any:
    """Applies ``readable_text`` to every name and text of a JSON value; returns the value itself if nothing changes."""
    text = to_json(value)
    # JSON escapes controls and halves of surrogate pairs.
    return _readable_part(value) if _MAY_CHANGE.search(text) else value


def _readable_part(value: object) -> object:
    if isinstance(value, str):
        return readable_text(value)
    if isinstance(value, list):
        return [_readable_part(item) for item in value]
    if isinstance(value, dict):
        return {readable_text(name): _readable_part(member) for name, member in value.items()}
    return value


def printable(text: str) -> str:
    """Text for a terminal: each invisible character becomes an escape. Line feeds and tabs stay."""
    if not _OTHER_THAN_ASCII.search(text):
        return text
    return _needed_or_invisible().sub(lambda found: found["needed"] or _escaped(found[0]), text)


def printable_json(text: str) -> str:
    """JSON for a person: each invisible character in its texts becomes an escape of JSON. The value stays the same."""
    if not _OTHER_THAN_ASCII.search(text):
        return text
    return _needed_or_invisible().sub(lambda found: found["needed"] or _json_escaped(found[0]), text)


def _without_invisible(text: str) -> str:
    return _needed_or_invisible().sub(lambda found: found["needed"] or "", text)


def _escaped(run: str) -> str:
    return "".join(f"\\x{ord(each):02x}" if each <= "\xff" else f"\\u{{{ord(each):x}}}" for each in run)


def _json_escaped(run: str) -> str:
    units = run.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in zip(units[::2], units[1::2], strict=True))


@cache
def _needed_or_invisible() -> re.Pattern[str]:
    """Compiled at the first use.

    A character after an invisible one is never needed, so a whole run of invisible characters is one match. ``needed``
    also matches runs of visible characters: a search for each alternative at each of them takes seconds for 1 MB.
    """
    ignorable = _class_of(unicode_ranges.IGNORABLE)
    invisible = f"\x00-\x08\x0b-\x1f\x7f-\x9f{ignorable}\ud800-\udfff\u2028\u2029\ufff9-\ufffb"
    letter = f"[{_class_of(unicode_ranges.JOINING_LETTER)}]"
    pictograph = f"[{_class_of(unicode_ranges.PICTOGRAPH)}]"
    skin, selector = "[\U0001f3fb-\U0001f3ff]", "\ufe0f"
    # The flags of England, Scotland and Wales: the only emoji that are written with tags.
    nation = "\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073"
    needed = (
        f"\U0001f3f4\U000e0067\U000e0062(?:{nation})\U000e007f",
        f"[^{invisible}\U0001f3f4]+",
        f"(?<={letter})[\u200c\u200d]",
        # Python looks behind by a fixed number of characters.
        *(
            f"(?<={before})\u200d(?={pictograph})"
            for before in (
                pictograph,
                pictograph + skin,
                pictograph + selector,
                pictograph + skin + selector,
            )
        ),
        f"(?<={pictograph})[\ufe0e\ufe0f]",
        "(?<=[#*0-9])\ufe0f(?=\u20e3)",
        f"(?<=[{_class_of(unicode_ranges.HAN)}])[\ufe00-\ufe02\U000e0100-\U000e01ef]",
        f"(?<=[{_class_of(unicode_ranges.MONGOLIAN)}])[\u180b-\u180f]",
    )
    return re.compile(f"(?P<needed>{'|'.join(needed)})|[{invisible}]+")


def _class_of(ranges: str) -> str:
    """The ranges as the inside of a character class."""
    ends = (each.split("-") for each in ranges.split(" "))
    return "".join("-".join(re.escape(chr(int(end, 16))) for end in pair) for pair in ends)
