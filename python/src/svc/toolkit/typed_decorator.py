"""The type of a decorator whose handler takes what its ``payload_description`` describes."""

from collections.abc import Callable
from typing import Protocol, TypeVar, overload

from svc.toolkit.context import ActionContext

PayloadT = TypeVar("PayloadT")
ResultT = TypeVar("ResultT")


class TypedDecorator(Protocol[PayloadT]):
    """Takes ``(ctx)`` or ``(ctx, payload)``."""

    @overload
    def __call__(
        self, handler: Callable[[ActionContext, PayloadT], ResultT], /
    ) -> Callable[[ActionContext, PayloadT], ResultT]: ...

    @overload
    def __call__(self, handler: Callable[[ActionContext], ResultT], /) -> Callable[[ActionContext], ResultT]: ...
