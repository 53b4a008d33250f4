"""The payload of an action whose handler takes its members as parameters, and how the handler is called.

Shape: ``(city: str, days: int = 3, *, ctx: ActionContext)``: ``ctx`` anywhere or absent; the other parameters are the
    members of the payload. A parameter ``payload`` is the whole payload instead.
Errors: INVALID_ACTION for a parameter that no payload can fill.
"""

import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple

from svc.errors import SvcError
from svc.toolkit.context import ActionContext
from svc.toolkit.docstring import Docstring
from svc.toolkit.payload_model import PayloadModel, payload_model
from svc.toolkit.type_schema import Member, TypeSchema, TypeSchemaError

Arguments = tuple[tuple[Any, ...], dict[str, Any]]

_WHOLE = "payload"
_CONTEXT_NAMES = ("ctx", "context")
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_MISSING = inspect.Parameter.empty
#: As types of a payload, these describe nothing.
_ANY_PAYLOAD = (Any, object, dict, Mapping)


class InferredPayload(NamedTuple):
    """The model of the payload, None for any object; and the arguments of the handler for a parsed payload."""

    model: PayloadModel | None
    arguments: Callable[[ActionContext, Any], Arguments]


def is_positional_form(handler: Any, action: str) -> bool:
    """Whether the handler is ``(ctx)`` or ``(ctx, payload)`` where names do not matter, as nothing tells members."""
    parameters = _parameters(handler)
    if parameters is None or any(it.kind is it.VAR_POSITIONAL for it in parameters):
        return True
    if not 1 <= len(parameters) <= 2 or any(it.kind not in _POSITIONAL for it in parameters):
        return False
    hints = _hints(handler, action)
    first, second = hints.get(parameters[0].name, Any), hints.get(parameters[-1].name, Any)
    takes_any = len(parameters) == 1 or (typing.get_origin(second) or second) in _ANY_PAYLOAD
    return takes_any and (first is Any or first is ActionContext)


def inferred_payload(handler: Any, action: str, docstring: Docstring) -> InferredPayload:
    """The payload that the parameters of a handler describe.

    Args:
        handler: the function, or an object with ``__call__``
        action: name, for errors
        docstring: has the descriptions of the parameters
    """
    parameters = _parameters(handler) or []
    hints = _hints(handler, action)
    context = _context_of(parameters, hints)
    members = [it for it in parameters if it is not context]
    for it in members:
        if it.kind in _VARIABLE:
            raise _invalid(f'The handler of "{action}" takes {it}: name each parameter, since they are its payload')
    if [it.name for it in members] == [_WHOLE]:
        return _whole(members[0], context, hints, action)
    try:
        schema = TypeSchema.of_members([_member(it, hints, docstring) for it in members])
    except TypeSchemaError as error:
        raise _invalid(f'The parameters of "{action}": {error}') from error

    def arguments(ctx: ActionContext, values: dict[str, Any]) -> Arguments:
        return _arguments(parameters, {**values, context.name: ctx} if context else values)

    return InferredPayload(PayloadModel.of(schema), arguments)


def _whole(
    parameter: inspect.Parameter, context: inspect.Parameter | None, hints: Mapping[str, Any], action: str
) -> InferredPayload:
    hint = hints.get(_WHOLE)
    says_nothing = (typing.get_origin(hint) or hint) in (None, *_ANY_PAYLOAD)
    model = None if says_nothing else payload_model(hint, action)
    taken = sorted([parameter, context] if context else [parameter], key=lambda it: it.kind)

    def arguments(ctx: ActionContext, payload: Any) -> Arguments:
        return _arguments(taken, {_WHOLE: payload, **({context.name: ctx} if context else {})})

    return InferredPayload(model, arguments)


def _arguments(parameters: list[inspect.Parameter], values: Mapping[str, Any]) -> Arguments:
    positional = tuple(values[it.name] for it in parameters if it.kind is it.POSITIONAL_ONLY and it.name in values)
    named = {it.name: values[it.name] for it in parameters if it.kind is not it.POSITIONAL_ONLY and it.name in values}
    return positional, named


def _context_of(parameters: list[inspect.Parameter], hints: Mapping[str, Any]) -> inspect.Parameter | None:
    for it in parameters:
        if hints.get(it.name) is ActionContext:
            return it
    return next((it for it in parameters if it.name in _CONTEXT_NAMES and hints.get(it.name, Any) is Any), None)


def _member(it: inspect.Parameter, hints: Mapping[str, Any], docstring: Docstring) -> Member:
    hint = hints.get(it.name, Any)
    default = it.default
    if default is not _MISSING and hasattr(default, "is_required") and hasattr(default, "get_default"):
        # `city: str = Field(description=…)` of pydantic.
        hint = Annotated[hint, default]
        default = _MISSING if default.is_required() else default.get_default(call_default_factory=True)
        return Member(it.name, hint, docstring.parameters.get(it.name), default is _MISSING, default, fills=True)
    return Member(it.name, hint, docstring.parameters.get(it.name), default is _MISSING, default, fills=False)


def _parameters(handler: Any) -> list[inspect.Parameter] | None:
    bound = handler.keywords if isinstance(handler, functools.partial) else {}
    try:
        return [it for it in inspect.signature(handler).parameters.values() if it.name not in bound]
    except (TypeError, ValueError):  # A C function has no signature.
        return None


def _hints(handler: Any, action: str) -> dict[str, Any]:
    function = inspect.unwrap(handler)
    while isinstance(function, functools.partial):
        function = inspect.unwrap(function.func)
    if not hasattr(function, "__annotations__") or not inspect.isroutine(function):
        function = inspect.unwrap(getattr(function, "__call__", function))  # noqa: B004
    try:
        return typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise _invalid(
            f'The types of the handler of "{action}" cannot be read: {error}; define them in a module'
        ) from None


def _invalid(message: str) -> SvcError:
    return SvcError("INVALID_ACTION", message)
