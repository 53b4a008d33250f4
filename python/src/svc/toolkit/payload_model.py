"""Typed payloads: a pydantic model, a dataclass or a TypedDict as ``payload_description``.

Shape: the JSON Schema that agents see, and a function that converts an agent's payload to the handler's type.
Errors: INVALID_ACTION for a class that has no JSON Schema; ActionError INVALID_PAYLOAD with ``issues: [{path,
    message}]``, where ``path`` is a JSON Pointer (RFC 6901).
"""

import dataclasses
import typing
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from svc.errors import SvcError
from svc.toolkit.action_error import ActionError
from svc.toolkit.type_schema import Issue, TypeSchema, TypeSchemaError, issues_of


@dataclass(frozen=True, slots=True)
class PayloadModel:
    """The two sides of a typed payload."""

    schema: dict[str, Any]
    parse: Callable[[object], Any]

    @classmethod
    def of(cls, schema: TypeSchema) -> "PayloadModel":
        return cls(schema.json_schema, lambda payload: _read(schema, payload))


def payload_model(description: Any, action: str) -> PayloadModel | None:
    """None for a description that is plain JSON."""
    if _is_pydantic_model(description):
        return PayloadModel(
            _object_schema(description.model_json_schema(), action), lambda it: _validate(description, it)
        )
    if not isinstance(description, type):
        return None
    if not dataclasses.is_dataclass(description) and not typing.is_typeddict(description):
        raise SvcError(
            "INVALID_ACTION",
            f'The payload_description of "{action}" is the class {description.__name__}: it takes a pydantic model, '
            "a dataclass, a TypedDict, a JSON Schema, the short form or a text",
        )
    try:
        schema = TypeSchema(description)
    except TypeSchemaError as error:
        raise SvcError("INVALID_ACTION", f'The payload_description of "{action}": {error}') from error
    return PayloadModel.of(schema)


def _is_pydantic_model(value: object) -> bool:
    """True if the class has the two methods of pydantic 2; svc-sdk itself does not need the package."""
    methods = ("model_json_schema", "model_validate")
    return isinstance(value, type) and all(callable(getattr(value, method, None)) for method in methods)


def _object_schema(schema: dict[str, Any], action: str) -> dict[str, Any]:
    kind = schema.get("type", "object")
    if kind == "object":
        return schema
    raise SvcError(
        "INVALID_ACTION", f'A payload is an object, but the payload_description of "{action}" describes: {kind}'
    )


def _validate(model: Any, payload: Any) -> Any:
    try:
        return model.model_validate(payload)
    except Exception as error:
        issues = issues_of(error)
        if issues is None:
            raise
        raise _misfit(issues) from error


def _read(schema: TypeSchema, payload: object) -> object:
    issues: list[Issue] = []
    value = schema.read(payload, issues)
    if issues:
        raise _misfit(issues)
    return value


def _misfit(issues: Iterable[Issue]) -> ActionError:
    listed = [{"path": issue.pointer, "message": issue.message} for issue in issues]
    sentences = "; ".join(f"{issue['path'] or 'payload'}: {issue['message']}" for issue in listed)
    return ActionError("INVALID_PAYLOAD", f"The payload does not fit the action: {sentences}", data={"issues": listed})
