"""The texts of a docstring about a function and its parameters, in Google's, NumPy's or reStructuredText's style.

Source: google.github.io/styleguide/pyguide.html, 3.8.3; numpydoc.readthedocs.io, "Format"; Sphinx, "Info field lists".
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field

_PARAMETERS = {"args", "arguments", "parameters", "params", "other parameters", "keyword args", "keyword arguments"}
#: These say what the description of an action leaves out.
_OTHERS = {"returns", "return", "yields", "yield", "raises", "attributes"}
_UNDERLINE = re.compile(r"^-{3,}\s*$")
_GOOGLE_PARAMETER = re.compile(r"^\s*\*{0,2}(\w+)\s*(?:\(.*?\))?\s*:\s*(.*)$")
_NUMPY_PARAMETER = re.compile(r"^\*{0,2}(\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")
_REST_FIELD = re.compile(r"^:(\w+)(?:\s+([^:]*))?:\s*(.*)$")
_REST_OTHERS = {
    "type",
    "returns",
    "return",
    "rtype",
    "raises",
    "raise",
    "except",
    "exception",
    "yields",
    "yield",
    "ytype",
}
_REST_PARAMETERS = {"param", "parameter", "arg", "argument", "key", "keyword"}


@dataclass(slots=True)
class Docstring:
    """The text without its sections, and the texts of the parameters by name."""

    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)


def read_docstring(text: str | None) -> Docstring:
    """Reads what it understands; the rest is part of the description."""
    lines = inspect.cleandoc(text or "").splitlines()
    found: dict[str, list[str]] = {}
    kept: list[str] = []
    at = 0
    while at < len(lines):
        after = _section(lines, at, found) or _rest_field(lines, at, found)
        if after:
            at = after
        else:
            kept.append(lines[at])
            at += 1
    return Docstring(_paragraphs(kept), {name: " ".join(" ".join(words).split()) for name, words in found.items()})


def _section(lines: list[str], at: int, found: dict[str, list[str]]) -> int | None:
    """The index of the line behind the section that begins here."""
    name = lines[at].strip().lower()
    if at + 1 < len(lines) and _UNDERLINE.match(lines[at + 1]) and name in _PARAMETERS | _OTHERS:
        return _entries(lines, at + 2, found if name in _PARAMETERS else None, _numpy_entry, _is_numpy_end)
    if lines[at][:1].strip() and name.endswith(":") and name[:-1] in _PARAMETERS | _OTHERS:
        return _entries(lines, at + 1, found if name[:-1] in _PARAMETERS else None, _google_entry, _is_google_end)
    return None


def _entries(
    lines: list[str],
    at: int,
    found: dict[str, list[str]] | None,
    entry: Callable[[str, int], tuple[list[str], str] | None],
    is_end: Callable[[list[str], int], bool],
) -> int:
    indent = next((_indent(line) for line in lines[at:] if line.strip()), 0)
    names: list[str] = []
    while at < len(lines) and not is_end(lines, at):
        begins = entry(lines[at], indent)
        if begins:
            names, text = begins
        else:
            text = lines[at].strip()
        if found is not None:
            for name in names:
                found.setdefault(name, []).append(text)
        at += 1
    return at


def _google_entry(line: str, indent: int) -> tuple[list[str], str] | None:
    match = _GOOGLE_PARAMETER.match(line) if _indent(line) == indent else None
    return ([match[1]], match[2]) if match else None


def _numpy_entry(line: str, indent: int) -> tuple[list[str], str] | None:
    match = _NUMPY_PARAMETER.match(line) if _indent(line) == indent and line.strip() else None
    return ([name.strip(" *") for name in match[1].split(",")], "") if match else None


def _is_google_end(lines: list[str], at: int) -> bool:
    return bool(lines[at][:1].strip())


def _is_numpy_end(lines: list[str], at: int) -> bool:
    return at + 1 < len(lines) and bool(_UNDERLINE.match(lines[at + 1]))


def _rest_field(lines: list[str], at: int, found: dict[str, list[str]]) -> int | None:
    match = _REST_FIELD.match(lines[at])
    # Others are text, such as the role of ``:class:`Order` `` at the beginning of a line.
    if not match or match[1] not in _REST_PARAMETERS | _REST_OTHERS:
        return None
    kind, argument, text = match[1], match[2] or "", match[3]
    words = [text]
    at += 1
    while at < len(lines) and (_indent(lines[at]) > 0 or not lines[at].strip()) and not _REST_FIELD.match(lines[at]):
        words.append(lines[at].strip())
        at += 1
    # `:param str city:` has the type before the name.
    if kind in _REST_PARAMETERS and argument.split():
        found.setdefault(argument.split()[-1].lstrip("*"), []).extend(words)
    return at


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _paragraphs(lines: list[str]) -> str:
    """The text without the blank lines that sections leave behind."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
