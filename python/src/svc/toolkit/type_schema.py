"""JSON Schema of Python types, and values of these types from JSON.

Shape: dataclasses and TypedDicts of: str, int, float, bool, None, Any, Literal, enums, lists, tuples, sets,
    dictionaries with texts as keys, unions, datetime, date, UUID, pydantic models, and each other.
    ``Annotated[str, "Name of the city"]`` gives a description. Results also: times, time spans, decimals, paths, bytes.
Errors: TypeSchemaError for any other type. Values of another type become issues.
"""

import dataclasses
import datetime
import decimal
import enum
import importlib
import pathlib
import types
import typing
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Required, TypeGuard, Union, get_args, get_origin

from svc.toolkit.not_json import not_json

Path = tuple[str | int, ...]

#: Pydantic and its package of constraints, such as ``Ge(0)``.
_PYDANTIC = ("annotated_types", "pydantic")


class TypeSchemaError(Exception):
    """A type without a JSON Schema."""


class Issue(NamedTuple):
    """A value in a payload that has the wrong type."""

    path: Path
    message: str

    @property
    def pointer(self) -> str:
        """JSON Pointer (RFC 6901)."""
        return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in self.path)


def issues_of(error: Exception) -> list[Issue] | None:
    """The issues of pydantic's ValidationError; None for any other error."""
    list_errors = getattr(error, "errors", None)
    if not callable(list_errors):
        return None
    return [Issue(tuple(each.get("loc", ())), str(each.get("msg", error))) for each in list_errors()]


class Member(NamedTuple):
    """A member of an object that no class describes, such as a parameter of a function."""

    name: str
    hint: object
    description: str | None
    required: bool
    #: Agents see it if it is JSON.
    default: object = dataclasses.MISSING
    #: The value of an absent member. None: it stays absent, and the function has its default.
    fill: Callable[[], object] | None = None


class Members(tuple[Member, ...]):
    """A type like a TypedDict: its values are dictionaries."""

    __slots__ = ()


#: Converts JSON to a value, and adds the mismatches to the list of issues.
Reader = Callable[[Any, Path, list[Issue]], Any]


class _Shape(NamedTuple):
    schema: dict[str, object]
    read: Reader


class TypeSchema:
    """The JSON Schema of one type.

    Args:
        of: the type
        written: the schema is that of the JSON that ``plain_json`` writes for values of the type
    """

    def __init__(self, of: object, *, written: bool = False) -> None:
        compiler = _Compiler(written)
        shape = compiler.compile(of)
        self._read = shape.read
        self.json_schema = {**shape.schema, **({"$defs": compiler.definitions} if compiler.definitions else {})}

    def read(self, value: object, issues: list[Issue]) -> object:
        return self._read(value, (), issues)


class _Compiler:
    """Compiles nested types; ``definitions`` collects the ``$defs`` of the pydantic models among them."""

    def __init__(self, written: bool) -> None:
        self.definitions: dict[str, object] = {}
        self._written = written
        self._under_way: list[type] = []

    def compile(self, kind: object) -> _Shape:
        if isinstance(kind, Members):
            return self._members(kind)
        if get_origin(kind) is Annotated:
            inner, *notes = get_args(kind)
            if any(_is_of_pydantic(type(note)) and not _only_describes(note) for note in notes):
                return self._with_pydantic(kind)
            texts = (note if isinstance(note, str) else getattr(note, "description", None) for note in notes)
            return _described(self.compile(inner), next((text for text in texts if isinstance(text, str)), None))
        if kind in _SIMPLE:
            return _SIMPLE[kind]
        if self._written and kind in _WRITTEN:
            return _WRITTEN[kind]
        if get_origin(kind) is Literal:
            return _one_of(list(get_args(kind)), lambda value: value)
        if get_origin(kind) in (Union, types.UnionType):
            return _union([self.compile(each) for each in get_args(kind)])
        if isinstance(kind, type) and get_origin(kind) is None:
            if issubclass(kind, enum.Enum):
                return _one_of([member.value for member in kind], kind)
            if dataclasses.is_dataclass(kind) or typing.is_typeddict(kind):
                return self._object(kind)
            if callable(getattr(kind, "model_json_schema", None)):
                return self._pydantic(kind)
        return self._collection(kind)

    def _collection(self, kind: object) -> _Shape:
        origin, arguments = get_origin(kind) or kind, get_args(kind)
        if origin is tuple and arguments and arguments[-1] is not ...:
            return _fixed_tuple([self.compile(each) for each in arguments])
        if origin in _ARRAYS:
            return _array(self.compile(arguments[0] if arguments else Any), _ARRAYS[origin])
        if origin in (dict, Mapping) and (not arguments or arguments[0] is str):
            return _mapping(self.compile(arguments[1] if arguments else Any))
        if not self._written and _is_of_pydantic(kind):
            return self._with_pydantic(kind)
        raise TypeSchemaError(f"{getattr(kind, '__name__', kind)} has no JSON Schema here; write one, or use pydantic")

    def _members(self, members: Members) -> _Shape:
        shapes = {each.name: self._member(each) for each in members}
        required = [each.name for each in members if each.required]
        filled = {each.name: each.fill for each in members if each.fill is not None}

        def make(values: dict[str, object]) -> dict[str, object]:
            return {**{name: fill() for name, fill in filled.items() if name not in values}, **values}

        return _members(shapes, required, make)

    def _member(self, member: Member) -> _Shape:
        try:
            shape = self.compile(member.hint)
        except TypeSchemaError as error:
            raise TypeSchemaError(f'the parameter "{member.name}": {error}') from error
        schema = shape.schema
        if member.description and "description" not in schema:
            schema = {**schema, "description": member.description}
        default = member.default.value if isinstance(member.default, enum.Enum) else member.default
        if not member.required and not_json(default) is None:
            schema = {**schema, "default": default}
        return _Shape(schema, shape.read)

    def _with_pydantic(self, kind: object) -> _Shape:
        """Pydantic knows more types and constraints; svc-sdk itself does not need the package."""
        try:
            adapter = importlib.import_module("pydantic").TypeAdapter(kind)
            schema = dict(adapter.json_schema())
        except Exception as error:
            raise TypeSchemaError(f"{kind} has no JSON Schema: {error}") from error
        self.definitions |= schema.pop("$defs", {})
        return _Shape(schema, _validating(adapter.validate_python))

    def _object(self, kind: type) -> _Shape:
        if kind in self._under_way:
            raise TypeSchemaError(f"{kind.__name__} refers to itself; use pydantic, or write its JSON Schema")
        self._under_way.append(kind)
        try:
            hints = typing.get_type_hints(kind, include_extras=True)
        except NameError as error:
            raise TypeSchemaError(
                f"the types of {kind.__name__} cannot be read: {error}; define them in a module"
            ) from None
        shape = self._typed_dict(kind, hints) if typing.is_typeddict(kind) else self._dataclass(kind, hints)
        self._under_way.pop()
        return shape

    def _dataclass(self, kind: Any, hints: dict[str, Any]) -> _Shape:
        members: dict[str, _Shape] = {}
        required = []
        for field in dataclasses.fields(kind):
            if not field.init and not self._written:
                continue
            shape = self.compile(hints[field.name])
            missing = dataclasses.MISSING
            if self._written or (field.default is missing and field.default_factory is missing):
                required.append(field.name)
            elif field.default is not missing and not_json(field.default) is None:
                shape = _Shape({**shape.schema, "default": field.default}, shape.read)
            members[field.name] = shape
        return _members(members, required, lambda values: kind(**values))

    def _typed_dict(self, kind: Any, hints: dict[str, Any]) -> _Shape:
        members = {name: self.compile(_without_requirement(hint)) for name, hint in hints.items()}
        required = [name for name in hints if name in kind.__required_keys__]
        return _members(members, required, lambda values: values)

    def _pydantic(self, model: Any) -> _Shape:
        schema = dict(_written_schema(model) if self._written else model.model_json_schema())
        self.definitions |= schema.pop("$defs", {})

        return _Shape(schema, _validating(model.model_validate))


def _validating(validate: Callable[[object], object]) -> Reader:
    def read(value: object, path: Path, issues: list[Issue]) -> object:
        try:
            return validate(value)
        except Exception as error:
            found = issues_of(error)
            if found is None:
                raise
            issues.extend(Issue((*path, *issue.path), issue.message) for issue in found)
            return None

    return read


def _written_schema(model: Any) -> dict[str, Any]:
    # As `model_dump(mode="json")` writes the names.
    by_alias = bool(getattr(model, "model_config", {}).get("serialize_by_alias"))
    schema: dict[str, object] = model.model_json_schema(mode="serialization", by_alias=by_alias)
    return schema


def _is_of_pydantic(kind: object) -> bool:
    """Whether it is a type or the type of a constraint, such as ``HttpUrl``, ``Field`` and ``Ge``."""
    return str(getattr(kind, "__module__", "")).split(".")[0] in _PYDANTIC


def _only_describes(note: object) -> bool:
    """Whether it is ``Field(description="…")``, for which each type stays as it is without."""
    others = ("title", "examples", "json_schema_extra", "deprecated", "discriminator")
    return getattr(note, "metadata", None) == [] and not any(getattr(note, name, None) for name in others)


def _without_requirement(hint: object) -> object:
    """``Required`` and ``NotRequired`` may be inside ``Annotated``."""
    if get_origin(hint) in (Required, NotRequired):
        return get_args(hint)[0]
    if get_origin(hint) is Annotated:
        inner, *notes = get_args(hint)
        return Annotated[(_without_requirement(inner), *notes)]
    return hint


def _described(shape: _Shape, description: str | None) -> _Shape:
    return shape if description is None else _Shape({**shape.schema, "description": description}, shape.read)


def _of_type(
    name: str, test: Callable[[object], bool], convert: Callable[[Any], object] = lambda value: value
) -> _Shape:
    def read(value: object, path: Path, issues: list[Issue]) -> object:
        if test(value):
            return convert(value)
        issues.append(Issue(path, f"must be {name}"))
        return None

    return _Shape({"type": name}, read)


def _never_read(schema: dict[str, object]) -> _Shape:
    return _Shape(schema, lambda value, path, issues: value)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_integer(value: object) -> bool:
    return _is_number(value) and float(value).is_integer()


def _formatted(name: str, convert: Callable[[str], object]) -> _Shape:
    def read(value: Any, path: Path, issues: list[Issue]) -> object:
        try:
            return convert(value)
        except (TypeError, ValueError, AttributeError):
            issues.append(Issue(path, f"must be a {name}"))
            return None

    return _Shape({"type": "string", "format": name}, read)


_SIMPLE: dict[object, _Shape] = {
    Any: _Shape({}, lambda value, path, issues: value),
    object: _Shape({}, lambda value, path, issues: value),
    str: _of_type("string", lambda value: isinstance(value, str)),
    int: _of_type("integer", _is_integer, int),
    float: _of_type("number", _is_number, float),
    bool: _of_type("boolean", lambda value: isinstance(value, bool)),
    None: _of_type("null", lambda value: value is None),
    types.NoneType: _of_type("null", lambda value: value is None),
    datetime.datetime: _formatted("date-time", datetime.datetime.fromisoformat),
    datetime.date: _formatted("date", datetime.date.fromisoformat),
    uuid.UUID: _formatted("uuid", uuid.UUID),
}

#: Types that a handler may return, and that no payload is read into.
_WRITTEN: dict[object, _Shape] = {
    bytes: _never_read({"type": "string", "contentEncoding": "base64"}),
    datetime.time: _never_read({"type": "string", "format": "time"}),
    datetime.timedelta: _never_read({"type": "number", "description": "Seconds"}),
    decimal.Decimal: _never_read({"type": "string"}),
    pathlib.Path: _never_read({"type": "string"}),
}

_ARRAYS: dict[object, Callable[[list[object]], object]] = {
    list: list,
    Sequence: list,
    tuple: tuple,
    set: set,
    frozenset: frozenset,
}


def _one_of(values: list[object], convert: Callable[[object], object]) -> _Shape:
    def read(value: object, path: Path, issues: list[Issue]) -> object:
        if any(type(value) is type(each) and value == each for each in values):
            return convert(value)
        issues.append(Issue(path, f"must be one of {', '.join(map(repr, values))}"))
        return None

    return _Shape({"enum": values}, read)


def _union(alternatives: list[_Shape]) -> _Shape:
    def read(value: object, path: Path, issues: list[Issue]) -> object:
        found: list[Issue] = []
        for alternative in alternatives:
            found = []
            read_value = alternative.read(value, path, found)
            if not found:
                return read_value
        issues.extend(found)
        return None

    return _Shape({"anyOf": [each.schema for each in alternatives]}, read)


def _array(item: _Shape, convert: Callable[[list[object]], object]) -> _Shape:
    def read(value: object, path: Path, issues: list[Issue]) -> object:
        if not isinstance(value, list):
            issues.append(Issue(path, "must be array"))
            return None
        return convert([item.read(each, (*path, index), issues) for index, each in enumerate(value)])

    unique = {"uniqueItems": True} if convert in (set, frozenset) else {}
    return _Shape({"type": "array", "items": item.schema, **unique}, read)


def _fixed_tuple(items: list[_Shape]) -> _Shape:
    def read(value: object, path: Path, issues: list[Issue]) -> object:
        if not isinstance(value, list) or len(value) != len(items):
            issues.append(Issue(path, f"must be array of {len(items)}"))
            return None
        return tuple(
            item.read(each, (*path, index), issues) for index, (item, each) in enumerate(zip(items, value, strict=True))
        )

    size = len(items)
    schema = {"type": "array", "prefixItems": [item.schema for item in items], "minItems": size, "maxItems": size}
    return _Shape(schema, read)


def _mapping(member: _Shape) -> _Shape:
    def read(value: object, path: Path, issues: list[Issue]) -> object:
        if not isinstance(value, dict):
            issues.append(Issue(path, "must be object"))
            return None
        return {name: member.read(each, (*path, name), issues) for name, each in value.items()}

    return _Shape({"type": "object", "additionalProperties": member.schema}, read)


def _members(shapes: dict[str, _Shape], required: list[str], make: Callable[[dict[str, object]], object]) -> _Shape:
    def read(value: object, path: Path, issues: list[Issue]) -> object:
        if not isinstance(value, dict):
            issues.append(Issue(path, "must be object"))
            return None
        before = len(issues)
        issues.extend(Issue((*path, name), "is required") for name in required if name not in value)
        values = {
            name: shape.read(value[name], (*path, name), issues) for name, shape in shapes.items() if name in value
        }
        if len(issues) > before:
            return None
        try:
            return make(values)
        except (TypeError, ValueError) as error:
            # The class validates its own values in `__post_init__`.
            issues.append(Issue(path, str(error)))
            return None

    schema: dict[str, object] = {"type": "object", "properties": {name: shape.schema for name, shape in shapes.items()}}
    if required:
        schema["required"] = required
    return _Shape(schema, read)
