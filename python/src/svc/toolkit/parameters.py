"""The payload of an action whose handler takes its members as parameters, and the arguments of a call.

Shape: ``(city: str, days: int = 3, *, ctx: ActionContext)``: ``ctx`` anywhere or absent; the other parameters are the
    members of the payload. A parameter ``payload`` without others is the whole payload.
Errors: INVALID_ACTION for a parameter that no payload can fill.
"""

import dataclasses
import inspect
import typing
from collections.abc import Callable, Mapping, MutableMapping
from typing import Annotated, Any, NamedTuple, NoReturn

from svc.errors import SvcError
from svc.toolkit.context import ActionContext
from svc.toolkit.docstring import Docstring
from svc.toolkit.handler_signature import HandlerSignature, UnreadableType
from svc.toolkit.payload_model import PayloadModel, payload_model
from svc.toolkit.type_schema import Member, Members, TypeSchema, TypeSchemaError

Arguments = tuple[tuple[object, ...], dict[str, object]]

_CONTEXT, _WHOLE = "ctx", "payload"
_MISSING = inspect.Parameter.empty
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
#: Types of a JSON object that say nothing about its members.
_ANY_OBJECT = (Any, object, dict, Mapping, MutableMapping)


class InferredPayload(NamedTuple):
    """The model of the payload, None for any object; and the arguments of the handler for a parsed payload."""

    model: PayloadModel | None
    arguments: Callable[[ActionContext, object], Arguments]


def takes_context_and_payload(signature: HandlerSignature) -> bool:
    """Whether a handler with a name and a description is ``(ctx)`` or ``(ctx, payload)``, whatever the names of both:
    its annotations describe no members.
    """
    parameters = signature.parameters
    if parameters is None or any(it.kind is it.VAR_POSITIONAL for it in parameters):
        return True
    positional = [it for it in parameters if it.kind in _POSITIONAL]
    needed = [it for it in parameters if it.default is _MISSING and it.kind not in _VARIABLE]
    if not positional or len(needed) > 2 or any(it not in positional for it in needed):
        return False
    hints = [signature.hint(it) for it in positional]
    first_is_context = _is_context(positional[0], hints[0]) or _may_be_context(hints[0])
    return first_is_context and (len(hints) == 1 or _may_be_whole(hints[1]))


def inferred_payload(
    signature: HandlerSignature, action: str, docstring: Docstring, *, in_class: bool
) -> InferredPayload:
    """The payload that the parameters of a handler describe.

    Args:
        signature: of the handler
        action: name, for errors
        docstring: has the descriptions of the parameters
        in_class: the handler was defined in a class
    """
    if signature.parameters is None:
        raise _invalid(f'The handler of "{action}" has no readable parameters: wrap it in a function that names them')
    hints = {it.name: signature.hint(it) for it in signature.parameters}
    context = next((it for it in signature.parameters if _is_context(it, hints[it.name])), None)
    members = [it for it in signature.parameters if it is not context]
    if in_class and members and members[0].name in ("self", "cls"):
        raise _invalid(f'The handler of "{action}" is a method without its object: toolkit.action(thing.{action})')
    for it in members:
        if it.kind in _VARIABLE:
            raise _variable(it, action)
    is_whole = [it.name for it in members] == [_WHOLE]
    if is_whole:
        model = _whole(hints[_WHOLE], action)
    else:
        model = _of_members([_member(it, hints[it.name], docstring, action) for it in members], action)
    parameters = signature.parameters

    def arguments(ctx: ActionContext, payload: Any) -> Arguments:
        values: dict[str, object] = {_WHOLE: payload} if is_whole else dict(payload)
        if context is not None:
            values[context.name] = ctx
        return _arguments(parameters, values)

    return InferredPayload(model, arguments)


def _arguments(parameters: list[inspect.Parameter], values: dict[str, object]) -> Arguments:
    # A value by position needs one before it, so these get their defaults here.
    positional = tuple(values.get(it.name, it.default) for it in parameters if it.kind is it.POSITIONAL_ONLY)
    named = {it.name: values[it.name] for it in parameters if it.kind is not it.POSITIONAL_ONLY and it.name in values}
    return positional, named


def _is_context(parameter: inspect.Parameter, hint: object) -> bool:
    if parameter.name == _CONTEXT and _may_be_context(hint):
        return True
    if isinstance(hint, UnreadableType):
        return ActionContext.__name__ in hint.text
    return hint is ActionContext or ActionContext in typing.get_args(hint)


def _may_be_context(hint: object) -> bool:
    """Whether it says nothing, or is a Protocol of the methods that the handler uses."""
    return hint in (Any, object) or isinstance(hint, UnreadableType) or bool(getattr(hint, "_is_protocol", False))


def _may_be_whole(hint: object) -> bool:
    origin = typing.get_origin(hint)
    if origin in (typing.Union, typing.get_origin(int | str)):
        return any(map(_may_be_whole, typing.get_args(hint)))
    return (origin or hint) in _ANY_OBJECT or isinstance(hint, UnreadableType) or typing.is_typeddict(hint)


def _whole(hint: object, action: str) -> PayloadModel | None:
    described = typing.get_args(hint)[0] if typing.get_origin(hint) is Annotated else hint
    if (typing.get_origin(described) or described) in _ANY_OBJECT:
        return None
    if isinstance(described, UnreadableType):
        _unreadable(_WHOLE, described, action)
    if not isinstance(described, type) or not _describes_members(described):
        raise _invalid(
            f'The parameter "{_WHOLE}" of "{action}" is the whole payload: a pydantic model, a dataclass, a TypedDict '
            "or a dict. With another name it is a member of the payload"
        )
    return payload_model(described, action)


def _describes_members(kind: type) -> bool:
    return dataclasses.is_dataclass(kind) or typing.is_typeddict(kind) or hasattr(kind, "model_json_schema")


def _of_members(members: list[Member], action: str) -> PayloadModel:
    try:
        return PayloadModel.of(TypeSchema(Members(members)))
    except TypeSchemaError as error:
        raise _invalid(f'The handler of "{action}": {error}') from error


def _member(it: inspect.Parameter, hint: object, docstring: Docstring, action: str) -> Member:
    if isinstance(hint, UnreadableType):
        _unreadable(it.name, hint, action)
    description = docstring.parameters.get(it.name)
    if _is_field(it.default):
        # `city: str = Field(description=…)` of pydantic.
        hint = Annotated[hint, it.default]
    notes = typing.get_args(hint)[1:] if typing.get_origin(hint) is Annotated else ()
    field: Any = next(filter(_is_field, reversed(notes)), None)
    if it.default is not _MISSING and not _is_field(it.default):
        return Member(it.name, hint, description, required=False, default=it.default)
    if field is None or field.is_required():
        return Member(it.name, hint, description, required=True)

    def fill() -> object:
        return field.get_default(call_default_factory=True)

    return Member(it.name, hint, description, required=False, default=fill(), fill=fill)


def _is_field(value: object) -> bool:
    """Whether it is a ``Field`` of pydantic, which svc-sdk itself does not need."""
    return callable(getattr(value, "is_required", None)) and callable(getattr(value, "get_default", None))


def _unreadable(name: str, hint: UnreadableType, action: str) -> NoReturn:
    raise _invalid(
        f'The type of the parameter "{name}" of "{action}", {hint.text}, cannot be read: {hint.problem}; '
        "import it without TYPE_CHECKING, and define it in the module or beside the function"
    )


def _variable(it: inspect.Parameter, action: str) -> SvcError:
    return _invalid(
        f'The handler of "{action}" takes {it}, but its parameters are the members of the payload: name each of them. '
        "A decorator keeps their names with functools.wraps"
    )


def _invalid(message: str) -> SvcError:
    return SvcError("INVALID_ACTION", message)
