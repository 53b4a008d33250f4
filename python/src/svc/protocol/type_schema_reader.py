"""A JSON Schema as a writer of types reads it: each ``$ref`` of the document resolved, the parts of each ``allOf``
merged into one schema.

Shape: a ``$ref`` is ``#`` or ``#/json/pointer``, percent-encoded or not. None for a cycle, for a missing target, and
    when there is too much to read: anything may be there. As `src/protocol/type-schema.ts`.
"""

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_to_bytes

#: Schemas and properties; written-out references multiply without end.
_MAX_STEPS = 5_000
#: An ``allOf`` may be in an ``allOf``.
_MAX_NESTED_PARTS = 100
_STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


@dataclass(slots=True)
class ReadSchema:
    """A schema without references and parts."""

    #: References that lead to the schema from the root, so that a cycle ends.
    path: set[str]
    #: All references that were followed, those of parts too.
    refs: set[str]
    schema: dict[str, Any] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)


class SchemaReader:
    """Reads the schemas of one document, with a limit for all of them."""

    def __init__(self, root: object) -> None:
        self._root = root
        self._steps = 0

    def read(self, schema: object, path: set[str]) -> ReadSchema | bool | None:
        """A boolean schema accepts anything or nothing."""
        if isinstance(schema, bool):
            return schema
        merging = ReadSchema(path=set(path), refs=set(path))
        return merging if self._merge(merging, schema, is_whole=True, nesting=0) else None

    def _merge(self, merging: ReadSchema, schema: object, *, is_whole: bool, nesting: int) -> bool:
        """Adds a schema and its parts. The first value of a keyword stays, so that an ``allOf`` does not overrule its
        parent.
        """
        if not isinstance(schema, dict):
            return False
        self._steps += 1
        if self._steps > _MAX_STEPS or nesting > _MAX_NESTED_PARTS:
            return False
        self._add(merging, schema)
        ref = schema.get("$ref")
        if isinstance(ref, str):
            is_known = ref in merging.refs
            merging.refs.add(ref)
            if is_whole:
                merging.path.add(ref)
            if is_known or not self._merge(merging, self._target(ref), is_whole=is_whole, nesting=nesting + 1):
                return False
        # A part that accepts anything, or that cannot be read, says nothing about the others.
        all_of = schema.get("allOf")
        parts = all_of if isinstance(all_of, list) else []
        for part in parts:
            self._merge(merging, part, is_whole=is_whole and len(parts) == 1, nesting=nesting + 1)
        return True

    def _add(self, merging: ReadSchema, schema: dict[str, object]) -> None:
        for keyword, value in schema.items():
            if keyword not in ("$ref", "allOf", "properties", "required"):
                merging.schema.setdefault(keyword, value)
        if isinstance(names := schema.get("required"), list):
            merging.required.update(name for name in names if isinstance(name, str))
        if not isinstance(properties := schema.get("properties"), dict):
            return
        known: dict[str, object] = merging.schema.setdefault("properties", {})
        for name, value in properties.items():
            if name in known:
                continue
            self._steps += 1
            if self._steps <= _MAX_STEPS:
                known[name] = value

    def _target(self, ref: str) -> object:
        fragment = _decoded(ref)
        if fragment is None or not (fragment == "#" or fragment.startswith("#/")):
            return None
        value = self._root
        for step in fragment.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(value, dict) and name in value:
                value = value[name]
            elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
                value = value[int(name)]
            else:
                return None
        return value


def _decoded(ref: str) -> str | None:
    if _STRAY_PERCENT.search(ref):
        return None
    try:
        return unquote_to_bytes(ref).decode()
    except ValueError:
        return None
