"""Turns the developer's definition of an action into its registration and its handler.

Errors: INVALID_ACTION, whose message says what to write instead.
"""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

from svc.errors import SvcError
from svc.protocol.amount import price_problem
from svc.protocol.auth_problem import action_auth_problem
from svc.protocol.connections import ActionAuth
from svc.protocol.http import ActionAnnotations
from svc.protocol.ids import action_name_problem
from svc.protocol.json_text import from_json, to_json
from svc.toolkit.context import ActionContext
from svc.toolkit.docstring import read_docstring
from svc.toolkit.handler_signature import HandlerSignature
from svc.toolkit.not_json import not_json
from svc.toolkit.parameters import Arguments, inferred_payload, takes_context_and_payload
from svc.toolkit.payload_model import payload_model
from svc.toolkit.result_shape import result_shape
from svc.worker_threads import WorkerThreads

#: ``handler(ctx)``, ``handler(ctx, payload)``, or a function of the members of its payload; plain or asynchronous.
Handler = Callable[..., Any]

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_threads = WorkerThreads()


class ActionWithHandler(TypedDict):
    """An action of ``Toolkit.set_actions``. The members are the arguments of ``Toolkit.action``."""

    action: str
    action_description: str
    handler: Handler
    payload_description: NotRequired[object]
    result_description: NotRequired[object]
    annotations: NotRequired[ActionAnnotations]
    payment: NotRequired[dict[str, str]]
    auth: NotRequired[ActionAuth]
    long: NotRequired[bool]


@dataclass(frozen=True, slots=True)
class Action:
    """An action's registration and its handler."""

    registration: dict[str, Any]
    run: Callable[[ActionContext, Any], Awaitable[Any]]

    @property
    def name(self) -> str:
        return str(self.registration["action"])

    @property
    def may_need_connection(self) -> bool:
        """False for an action that needs no connection although its toolkit does."""
        return self.registration.get("auth") is not False


def define_action(
    handler: Handler,
    *,
    action: str | None,
    action_description: str | None,
    payload_description: object,
    result_description: object,
    annotations: ActionAnnotations | None,
    payment: dict[str, str] | None,
    auth: ActionAuth | None,
    long: bool,
    local_names: Mapping[str, object],
) -> Action:
    """An action of a toolkit. An argument that is None comes from the handler where it can.

    Args:
        local_names: names of the scope of the handler's definition, for its annotations
    """
    is_described = action is not None and action_description is not None
    docstring = read_docstring(handler.__doc__ if inspect.isroutine(handler) else None)
    action = _name_of(handler) if action is None else action
    action_description = docstring.description if action_description is None else action_description
    if problem := action_name_problem(action):
        raise _invalid(problem)
    if not isinstance(action_description, str) or not action_description.strip():
        raise _invalid(f'Action "{action}" needs an action_description or a docstring: models choose an action by it')
    if payment is not None and (problem := price_problem(action, payment)):
        raise _invalid(problem)
    if auth is not None and (problem := action_auth_problem(auth)):
        raise _invalid(f'Action "{action}": {problem}')
    if not isinstance(long, bool):
        raise _invalid(f'Action "{action}": long is True for an action whose calls may take hours, not {long!r}')
    is_async = _is_async(handler, action)
    signature = HandlerSignature(handler, local_names)
    if payload_description is None and not (is_described and takes_context_and_payload(signature)):
        model, arguments = inferred_payload(signature, action, docstring, in_class=_is_in_class(handler))
    else:
        model, arguments = payload_model(payload_description, action), _by_position(handler, action)
    registration = {
        "action": action,
        "actionDescription": action_description,
        "payloadDescription": model.schema if model else payload_description,
        "resultDescription": result_shape(result_description, signature.returned(), action),
        "annotations": annotations,
        "payment": payment,
        "auth": auth,
        "long": long or None,
    }

    async def run(ctx: ActionContext, payload: object) -> object:
        args, kwargs = arguments(ctx, model.parse(payload) if model else payload)
        returned = handler(*args, **kwargs) if is_async else await _threads.run(handler, *args, **kwargs)
        return await returned if inspect.isawaitable(returned) else returned

    return Action(_snapshot(registration), run)


def _name_of(handler: Handler) -> str:
    name = getattr(handler, "__name__", None)
    if isinstance(name, str) and name != "<lambda>":
        return name
    raise _invalid('An action whose handler is not a named function needs a name: action="…"')


def _is_in_class(handler: Handler) -> bool:
    scope = getattr(handler, "__qualname__", "").rpartition(".")[0]
    return not inspect.ismethod(handler) and scope != "" and not scope.endswith("<locals>")


def _is_async(handler: Handler, action: str) -> bool:
    if not callable(handler):
        raise _invalid(f'Action "{action}" needs a handler: put the decorator above a function (ctx, payload)')
    # The handler may be an object with `__call__`.
    functions = (handler, type(handler).__call__)
    if any(map(inspect.isgeneratorfunction, functions)) or any(map(inspect.isasyncgenfunction, functions)):
        raise _invalid(f'The handler of "{action}" yields, but a handler returns its result')
    return any(map(inspect.iscoroutinefunction, functions))


def _by_position(handler: Handler, action: str) -> Callable[[ActionContext, object], Arguments]:
    takes_payload = _takes_payload(handler, action)
    return lambda ctx, payload: ((ctx, payload) if takes_payload else (ctx,), {})


def _takes_payload(handler: Handler, action: str) -> bool:
    try:
        parameters = inspect.signature(handler).parameters.values()
    except (TypeError, ValueError):  # A C function has no signature.
        return True
    positional = [parameter for parameter in parameters if parameter.kind in _POSITIONAL]
    takes_any = any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters)
    needed = sum(parameter.default is inspect.Parameter.empty for parameter in positional)
    named = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY and each.default is each.empty]
    if needed > 2 or named or (not positional and not takes_any):
        raise _invalid(f'The handler of "{action}" takes (ctx) or (ctx, payload), not {inspect.signature(handler)}')
    return takes_any or len(positional) > 1


def _snapshot(registration: dict[str, object]) -> dict[str, Any]:
    """A copy, so that a later change of the object does not change the registration after a reconnect."""
    present = {member: value for member, value in registration.items() if value is not None}
    if problem := not_json(present):
        raise _invalid(f'Action "{registration["action"]}" is not plain JSON: {problem}')
    copy: dict[str, Any] = from_json(to_json(present))
    return copy


def _invalid(message: str) -> SvcError:
    return SvcError("INVALID_ACTION", message)
