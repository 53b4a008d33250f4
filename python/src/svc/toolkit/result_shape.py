"""The shape of an action's result: ``result_description``, else the type that the handler returns.

Shape: plain JSON for ``resultDescription`` of a registration; None for a result of unknown shape.
Errors: none. A description that cannot be used is a UserWarning, because the action works without it.
"""

import collections.abc
import importlib
import types
import warnings
from collections.abc import Awaitable, Coroutine, Generator, Iterable, Iterator
from typing import Annotated, Any, Never, NoReturn, TypeVar, Union, get_args, get_origin

from svc.protocol.json_text import from_json, to_json
from svc.toolkit.attachment import Attachment
from svc.toolkit.not_json import not_json
from svc.toolkit.type_schema import TypeSchema, TypeSchemaError

#: These say nothing about a result.
_UNKNOWN = (Any, object, None, types.NoneType, dict, collections.abc.Mapping, Never, NoReturn)
_MAPPINGS = (dict, collections.abc.Mapping)
#: Frames from the warning: this function, `define_action`, the decorator or `set_actions`, the developer's code.
_DEVELOPERS_LINE = 4
#: A handler may return these, and the result is a list.
_LISTED = (Iterable, Iterator, Generator)


class _NoSchemaError(Exception):
    """The message is for the developer."""


def result_shape(description: object, returned: object, action: str) -> object:
    """The shape of the results of a handler.

    Args:
        description: JSON Schema, short form, text or type; None: the return type of the handler
        returned: the return type of the handler; None if it is unknown
        action: name, for the warning
    """
    if description is None:
        return _shape_of_type(returned)
    try:
        return _shape_of(description)
    except _NoSchemaError as error:
        message = f'The result_description of "{action}" is left out: {error}'
        warnings.warn(message, UserWarning, stacklevel=_DEVELOPERS_LINE)
        return None


def _shape_of_type(returned: object) -> object:
    try:
        return _schema_of(returned)
    except _NoSchemaError:
        # The annotation was not written for this.
        return None


def _shape_of(description: object) -> object:
    if not isinstance(description, str | dict | list | bool):
        return _schema_of(description)
    if problem := not_json(description):
        raise _NoSchemaError(f"it is not plain JSON: {problem.strip()}")
    return from_json(to_json(description))


def _schema_of(kind: object) -> object:
    result = _result_type(kind)
    if _is_unknown(result):
        return None
    return _json_schema(result)


def _result_type(kind: object) -> object:
    """The type of the result: a handler may return something to wait for, and errors and attachments beside it."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Awaitable, Coroutine) and arguments:
        return _result_type(arguments[-1])
    if origin in _LISTED and arguments:
        return list[arguments[0]]  # type: ignore[valid-type]
    if origin in (Union, types.UnionType):
        results = [_result_type(each) for each in arguments if not _is_no_result(each)]
        return Union[tuple(results)] if results else None  # noqa: UP007
    return None if _is_no_result(kind) else kind


def _is_no_result(kind: object) -> bool:
    if get_origin(kind) in (list, tuple):
        items = [each for each in get_args(kind) if each is not ...]
        return bool(items) and all(map(_is_no_result, items))
    return isinstance(kind, type) and get_origin(kind) is None and issubclass(kind, Attachment | BaseException)


def _is_unknown(kind: object) -> bool:
    if get_origin(kind) is Annotated:
        # A description is worth having.
        return False
    if get_origin(kind) in (Union, types.UnionType):
        return any(each is Any or each is object for each in get_args(kind)) or all(map(_is_unknown, get_args(kind)))
    if get_origin(kind) in _MAPPINGS:
        return _is_unknown(get_args(kind)[1])
    return isinstance(kind, TypeVar) or any(kind is each for each in _UNKNOWN)


def _json_schema(kind: object) -> dict[str, object]:
    with warnings.catch_warnings():
        # Pydantic warns of defaults that it leaves out.
        warnings.simplefilter("ignore")
        try:
            return _plain(TypeSchema(kind, written=True).json_schema)
        except TypeSchemaError as error:
            schema = _pydantic_schema(kind)
            if schema is None:
                raise _NoSchemaError(str(error)) from error
            return schema
        except Exception as error:  # A `model_json_schema` of the class may raise any.
            raise _NoSchemaError(f"{type(error).__name__}: {error}") from error


def _pydantic_schema(kind: object) -> dict[str, object] | None:
    """Pydantic knows more types; svc-sdk itself does not need the package."""
    try:
        adapter = importlib.import_module("pydantic").TypeAdapter(kind)
        return _plain(adapter.json_schema(mode="serialization", by_alias=False))
    except Exception:
        return None


def _plain(schema: dict[str, object]) -> dict[str, object]:
    if problem := not_json(schema):
        raise TypeSchemaError(f"its JSON Schema is not plain JSON: {problem.strip()}")
    copy: dict[str, object] = from_json(to_json(schema))
    return copy
