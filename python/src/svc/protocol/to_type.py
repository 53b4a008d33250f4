"""JSON Schema -> a type on one line, like TypeScript: ``{id:int, status:"paid"|"open", lines?:object[]}``.

Shape: ``int``, ``string<date>`` and other formats; ``any`` for what the schema does not say, for cycles, and behind the
    bounds below; ``…3 more`` for what is left out. Conditions, ``not``, and sizes of texts and lists are not shown. No
    text of a schema's author can end a comment, a line or a code block. The types of `src/protocol/to-type.ts`.
Source: JSON Schema 2020-12; ``items`` as a list and ``definitions`` of draft-07; ``nullable`` of OpenAPI 3.0.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import islice

from svc.protocol.estimate_tokens import estimate_tokens
from svc.protocol.invisible_text import printable_json, readable_text
from svc.protocol.json_text import to_json
from svc.protocol.type_schema_reader import ReadSchema, SchemaReader
from svc.protocol.utf16 import first_utf16_units, utf16_length

_ANY = "any"
_FORMATS = frozenset(
    ["binary", "byte", "date", "date-time", "duration", "email", "ipv4", "ipv6", "time", "uri", "uuid"]
)
_NAMES = {
    "array": "any[]",
    "boolean": "boolean",
    "integer": "int",
    "null": "null",
    "number": "number",
    "object": "object",
    "string": "string",
}
_TYPE_KEYWORDS = frozenset(
    [
        "$ref",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "enum",
        "items",
        "oneOf",
        "patternProperties",
        "prefixItems",
        "properties",
        "type",
    ]
)
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_MAX_VALUES = 12
_MAX_VALUE_CHARS = 60
_SAMPLES = 3
_MAX_ALTERNATIVES = 12
#: Objects, lists and alternatives inside each other: no schema may exhaust the stack.
_MAX_NESTING = 40
_MAX_CHARS = 20_000
#: Depth and properties of each object, of one try after the other.
_SHORTER = ((2, 20), (2, 10), (1, 20), (1, 10), (1, 5), (0, 0))


def to_type(schema: object, *, depth: int = 4, max_properties: int | None = None) -> str:
    """The type.

    Args:
        schema: JSON Schema.
        depth: levels of objects whose properties are written out; deeper ones are ``object``.
        max_properties: of one object. Default: all.
    """
    return _TypeWriter(schema, depth, max_properties).write()


def short_type(schema: object, max_tokens: int = 100) -> str:
    """As much of a type as fits: two levels, then fewer properties, then one level.

    Args:
        schema: JSON Schema.
        max_tokens: of the type as a JSON string, as ``estimate_tokens`` counts them.
    """
    for depth, max_properties in _SHORTER:
        shown = to_type(schema, depth=depth, max_properties=max_properties)
        if _tokens_of(shown) <= max_tokens:
            return _described(schema, max_tokens) if shown == _ANY else shown
    return _ANY


def _tokens_of(shown: str) -> int:
    """The quotes of a type take more tokens inside of a JSON string."""
    return estimate_tokens(to_json(shown))


def _described(schema: object, max_tokens: int) -> str:
    """A result that is described in words alone has only these."""
    text = schema.get("description") if isinstance(schema, dict) else None
    chars = 4 * max_tokens
    while isinstance(text, str) and chars >= 20:
        words = _comment_text(text, chars)
        shown = f"{_ANY}/*{words}*/"
        if words and _tokens_of(shown) <= max_tokens:
            return shown
        chars //= 2
    return _ANY


@dataclass(frozen=True, slots=True)
class _Place:
    #: Objects around it.
    depth: int = 0
    nesting: int = 0
    path: set[str] = field(default_factory=set)

    def inside(self) -> "_Place":
        return replace(self, nesting=self.nesting + 1)


class _TypeWriter:
    """Alternatives are the members of a union, each at most once."""

    def __init__(self, root: object, depth: int, max_properties: int | None) -> None:
        self._root = root
        self._reader = SchemaReader(root)
        self._depth = depth
        self._max_properties = max_properties
        self._chars = 0

    def write(self) -> str:
        return _union(self._type(self._root, _Place()))

    def _type(self, schema: object, place: _Place) -> list[str]:
        if place.nesting > _MAX_NESTING or self._chars > _MAX_CHARS:
            return [_ANY]
        read = self._reader.read(schema, place.path)
        if read is False:
            return ["never"]
        if not isinstance(read, ReadSchema):
            return [_ANY]
        types = self._without_null(read, replace(place, path=read.path))
        return self._counted(_distinct([*types, "null"]) if read.schema.get("nullable") is True else types)

    def _without_null(self, read: ReadSchema, place: _Place) -> list[str]:
        schema = read.schema
        if "const" in schema:
            return _values([schema["const"]], schema)
        if isinstance(values := schema.get("enum"), list) and values:
            return _values(values, schema)
        for keyword in ("anyOf", "oneOf"):
            alternatives = schema.get(keyword)
            if isinstance(alternatives, list) and any(map(_has_type, alternatives)):
                return self._any_of(alternatives, read, place)
        return self._of_types(read, place)

    def _any_of(self, alternatives: list[object], read: ReadSchema, place: _Place) -> list[str]:
        inner, beside = place.inside(), {"type": read.schema["type"]} if "type" in read.schema else {}
        types = _distinct(
            each
            for alternative in alternatives
            for each in self._type({**beside, **alternative} if isinstance(alternative, dict) else alternative, inner)
        )
        shown = types[:_MAX_ALTERNATIVES]
        if len(types) > len(shown):
            shown.append(_more(len(types) - len(shown)))
        # The properties beside a list of alternatives are those of each.
        if not isinstance(read.schema.get("properties"), dict):
            return shown
        others = f"({_union(shown)})" if len(shown) > 1 else _union(shown)
        return [f"({_union(self._of_types(read, inner))}&{others})"]

    def _of_types(self, read: ReadSchema, place: _Place) -> list[str]:
        kind = read.schema.get("type")
        names = kind if isinstance(kind, list) else [_implied_type(read.schema) if kind is None else kind]
        return _distinct(self._of_type(name, read, place) for name in names)

    def _of_type(self, kind: object, read: ReadSchema, place: _Place) -> str:
        if kind == "object":
            return self._object(read, place)
        if kind == "array":
            return self._array(read.schema, place.inside())
        return _name_of(kind, read.schema)

    def _array(self, schema: dict[str, object], place: _Place) -> str:
        prefix, items = schema.get("prefixItems"), schema.get("items", True)
        has_prefix = isinstance(prefix, list)
        first = prefix if has_prefix else items
        if not isinstance(first, list):
            return self._list(items, place)
        rest = items if has_prefix else schema.get("additionalItems")
        shown = [_union(self._type(item, place)) for item in first[:_MAX_ALTERNATIVES]]
        if len(first) > len(shown):
            shown.append(_more(len(first) - len(shown)))
        if isinstance(rest, dict):
            shown.append(f"...{self._list(rest, place)}")
        return f"[{', '.join(shown)}]"

    def _list(self, items: object, place: _Place) -> str:
        types = self._type(items, place)
        return f"({_union(types)})[]" if len(types) > 1 else f"{_union(types)}[]"

    def _object(self, read: ReadSchema, place: _Place) -> str:
        properties = read.schema.get("properties") or {}
        inner = replace(place.inside(), depth=place.depth + 1)
        if not properties:
            return self._record(read.schema, place.inside())
        if place.depth >= self._depth:
            return "object"
        shown: list[str] = []
        for name, value in islice(properties.items(), self._max_properties):
            if self._chars > _MAX_CHARS:
                break
            key = f"{_property_name(name)}{'' if name in read.required else '?'}"
            self._chars += utf16_length(key)
            shown.append(f"{key}:{_union(self._type(value, inner))}")
        if len(shown) < len(properties):
            shown.append(_more(len(properties) - len(shown)))
        if others := self._other_values(read.schema, inner):
            shown.append(f"[key:string]:{_union(others)}")
        return f"{{{', '.join(shown)}}}"

    def _record(self, schema: dict[str, object], place: _Place) -> str:
        """An object without named properties."""
        if types := self._other_values(schema, place):
            return f"Record<string,{_union(types)}>"
        is_empty = schema.get("additionalProperties") is False and isinstance(schema.get("properties"), dict)
        return "{}" if is_empty else "object"

    def _other_values(self, schema: dict[str, object], place: _Place) -> list[str]:
        patterns, others = schema.get("patternProperties"), schema.get("additionalProperties")
        schemas = list(islice(patterns.values(), _MAX_ALTERNATIVES)) if isinstance(patterns, dict) else []
        if isinstance(others, dict) and others:
            schemas.append(others)
        return _distinct(each for schema in schemas for each in self._type(schema, place))

    def _counted(self, types: list[str]) -> list[str]:
        self._chars += sum(map(utf16_length, types))
        return types


def _has_type(schema: object) -> bool:
    """Alternatives that only say which properties go together, such as ``{"required": ["a"]}``, change no type."""
    return isinstance(schema, bool) or (isinstance(schema, dict) and not schema.keys().isdisjoint(_TYPE_KEYWORDS))


def _implied_type(schema: dict[str, object]) -> str | None:
    keywords = ("properties", "patternProperties", "additionalProperties")
    if any(isinstance(schema.get(keyword), dict) for keyword in keywords):
        return "object"
    return "array" if "items" in schema or "prefixItems" in schema else None


def _name_of(kind: object, schema: dict[str, object]) -> str:
    name = _NAMES.get(kind, _ANY) if isinstance(kind, str) else _ANY
    text_format = schema.get("format")
    known = name == "string" and isinstance(text_format, str) and text_format in _FORMATS
    return f"string<{text_format}>" if known else name


def _values(values: list[object], schema: dict[str, object]) -> list[str]:
    """The values, or the type with three of them and their number."""
    start = [_literal(value) for value in values[:_MAX_VALUES]]
    short = [text for text in start if utf16_length(text) <= _MAX_VALUE_CHARS]
    if len(values) <= _MAX_VALUES and len(short) == len(start):
        return _distinct(start)
    types, samples = _types_of(values, schema), short[:_SAMPLES]
    if not samples:
        return types
    rest = ", …" if len(samples) < len(values) else ""
    return [*types[:-1], f"{types[-1]}/*one of {len(values)}: {', '.join(samples)}{rest}*/"]


def _types_of(values: list[object], schema: dict[str, object]) -> list[str]:
    kind = schema.get("type")
    names = [_json_type(value) for value in values] if kind is None else kind if isinstance(kind, list) else [kind]
    return _distinct(_name_of(name, schema) for name in names)


def _json_type(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "array" if isinstance(value, list) else "object" if isinstance(value, dict) else "string"


def _literal(value: object) -> str:
    """A value as JSON, with escapes in the place of comment ends and backticks."""
    text = printable_json(to_json(int(value) if isinstance(value, float) and value.is_integer() else value))
    return text.replace("*/", r"*\/").replace("/*", r"\/*").replace("`", r"\u0060")


def _property_name(name: str) -> str:
    return name if _IDENTIFIER.fullmatch(name) else _literal(name)


def _comment_text(text: str, max_chars: int) -> str:
    """A longer text ends at a gap between words, with ``…``."""
    # More of a long text is never shown.
    start = first_utf16_units(text, 4 * max_chars)
    line = re.sub(r"\*+/|/\*+", " ", readable_text(start).replace("`", ""))
    line = re.sub(r"\s+", " ", line).strip()
    if utf16_length(line) <= max_chars and start == text:
        return line
    kept = first_utf16_units(line, max_chars - 1)
    gap = kept.rfind(" ")
    return f"{kept[:gap] if gap > max_chars / 2 else kept}…"


def _distinct(types: Iterable[str]) -> list[str]:
    unique = list(dict.fromkeys(types))
    return [_ANY] if _ANY in unique else unique


def _union(types: list[str]) -> str:
    return "|".join(types) or _ANY


def _more(count: int) -> str:
    return f"…{count} more"
