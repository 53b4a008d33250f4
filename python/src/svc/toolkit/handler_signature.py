"""The parameters of a handler and the types that its annotations name.

Shape: the function behind decorators with ``functools.wraps``, ``functools.partial`` and ``__call__``.
Errors: none. An annotation that cannot be evaluated is an UnreadableType, because it may be for type checkers alone.
"""

import functools
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class UnreadableType:
    """An annotation that cannot be evaluated, such as a name that is imported under ``TYPE_CHECKING``."""

    text: str
    problem: str


class HandlerSignature:
    """
    Args:
        handler: the function, or an object with ``__call__``
        local_names: names of the scope of the handler's definition, which only its annotations may use
    """

    def __init__(self, handler: Callable[..., object], local_names: Mapping[str, object]) -> None:
        #: None for a C function without a signature.
        self.parameters: list[inspect.Parameter] | None = None
        self._annotations: dict[str, object] = {}
        self._returns: object = None
        self._names = (_globals_of(handler), dict(local_names))
        # `functools.partial(function, name=value)` leaves the name in the signature.
        bound = handler.keywords if isinstance(handler, functools.partial) else {}
        try:
            signature = inspect.signature(handler)
        except (TypeError, ValueError):
            return
        self.parameters = [it for it in signature.parameters.values() if it.name not in bound]
        self._returns = signature.return_annotation

    def hint(self, parameter: inspect.Parameter) -> object:
        """The type of a parameter: ``Any`` without an annotation, perhaps an UnreadableType."""
        return Any if parameter.annotation is parameter.empty else self._evaluated(parameter.annotation)

    def returned(self) -> object:
        """The type of the returned value: None without an annotation that can be evaluated."""
        hint = None if self._returns is inspect.Signature.empty else self._evaluated(self._returns)
        return None if isinstance(hint, UnreadableType) else hint

    def _evaluated(self, annotation: object) -> object:
        # The other annotations may be unreadable, so one at a time.
        only = types.SimpleNamespace(__annotations__={"it": annotation})
        try:
            return typing.get_type_hints(only, *self._names, include_extras=True)["it"]
        except Exception as error:
            return UnreadableType(annotation if isinstance(annotation, str) else repr(annotation), str(error))


def _globals_of(handler: Any) -> dict[str, Any]:
    function = inspect.unwrap(handler)
    while isinstance(function, functools.partial):
        function = inspect.unwrap(function.func)
    if not inspect.isroutine(function):
        function = inspect.unwrap(getattr(function, "__call__", function))  # noqa: B004
    names: dict[str, object] = getattr(getattr(function, "__func__", function), "__globals__", {})
    return names
