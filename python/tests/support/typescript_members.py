"""The members of interfaces and classes in the sources of TypeScript, which are not there at run time."""

import re

from tests.support.repository import REPOSITORY

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
#: The formatter indents a member by two spaces. The name of a private member begins with `#`.
_MEMBER = re.compile(r"^  (?:abstract |readonly |async |get |static )*([A-Za-z]\w*)\??[(<:]", re.MULTILINE)


def source_of(path: str) -> str:
    """The text of a file without its comments."""
    return _COMMENT.sub("", (REPOSITORY / path).read_text("utf-8"))


def members_of(path: str, name: str) -> set[str]:
    """The public members of an interface or class, and those of the interface of that file that it extends."""
    found = re.search(
        rf"^(?:export )?(?:interface|abstract class|class) {name}\b(?: extends (\w+))?[^{{]*\{{\n(.*?)^\}}",
        source_of(path),
        re.MULTILINE | re.DOTALL,
    )
    if not found:
        raise LookupError(f"{path} has no {name}")
    own = set(_MEMBER.findall(found[2])) - {"constructor"}
    return own | (members_of(path, found[1]) if found[1] else set())


def in_python(name: str) -> str:
    """The name in Python. Times are in seconds there, and a class keeps its name."""
    if name[0].isupper():
        return name
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    return {"milliseconds": "seconds"}.get(words, words.removesuffix("_ms"))
