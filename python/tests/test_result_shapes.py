"""Shapes of results: descriptions, types, and the types that handlers return."""

import dataclasses
import datetime
import decimal
import enum
import functools
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict, TypeVar

import jsonschema  # type: ignore[import-untyped]
import pytest
from pydantic import BaseModel, ConfigDict, Field, computed_field

from svc import Toolkit
from svc.toolkit import ActionError, ActionWithHandler, Attachment
from svc.toolkit.handler_signature import HandlerSignature
from svc.toolkit.plain_json import to_json_text
from svc.toolkit.result_shape import result_shape
from tests.support.running import running
from tests.support.wire_service import wire_service

if TYPE_CHECKING:
    from nowhere import Context  # type: ignore[import-not-found]

KEY = "svc_toolkit_test"
TEXT = {"type": "string"}


class Status(enum.Enum):
    PAID = "paid"
    OPEN = "open"


@dataclasses.dataclass
class Line:
    sku: str
    price: decimal.Decimal
    count: int = 1
    total: float = dataclasses.field(init=False, default=0.0)


class Order(TypedDict):
    id: int
    status: Status
    lines: list[Line]
    note: NotRequired[str | None]


class Parcel(BaseModel):
    weight_kg: float = Field(1.0, alias="weightKg")

    @computed_field
    def heavy(self) -> bool:
        return self.weight_kg > 20


class Labelled(BaseModel):
    model_config = ConfigDict(serialize_by_alias=True, populate_by_name=True)
    weight_kg: float = Field(1.0, alias="weightKg")


class Tree(BaseModel):
    children: "list[Tree]" = []


LINE = {
    "type": "object",
    "properties": {
        "sku": TEXT,
        "price": TEXT,
        "count": {"type": "integer"},
        "total": {"type": "number"},
    },
    "required": ["sku", "price", "count", "total"],
}


def shape_of(handler: Any) -> Any:
    return result_shape(None, HandlerSignature(handler, {}).returned(), "do")


def returning(returns: Any) -> Callable[..., Any]:
    def handler(ctx: Any) -> Any: ...

    handler.__annotations__["return"] = returns
    return handler


@pytest.mark.parametrize(
    ("returns", "shape"),
    [
        (str, TEXT),
        (list[str], {"type": "array", "items": TEXT}),
        ("list[Line]", {"type": "array", "items": LINE}),
        (Awaitable[int], {"type": "integer"}),
        (Coroutine[Any, Any, int], {"type": "integer"}),
        (Iterator[int], {"type": "array", "items": {"type": "integer"}}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (str | None, {"anyOf": [TEXT, {"type": "null"}]}),
        (str | ActionError, TEXT),
        (Attachment | str, TEXT),
        (Literal["a", "b"], {"enum": ["a", "b"]}),
        (Annotated[str, "Its id"], {**TEXT, "description": "Its id"}),
        (Annotated[dict[str, Any], "By id"], {"type": "object", "additionalProperties": {}, "description": "By id"}),
        (datetime.timedelta, {"type": "number", "description": "Seconds"}),
    ],
)
def test_the_return_type_of_a_handler_is_its_shape(returns: Any, shape: Any) -> None:
    assert shape_of(returning(returns)) == shape


T = TypeVar("T")


@pytest.mark.parametrize(
    "returns",
    [
        *(None, Any, object, dict, dict[str, Any], dict[str, Any] | None, T, str | Any),
        *(Attachment, list[Attachment], ActionError, AsyncIterator[int], Toolkit, "Nowhere", "not a type"),
    ],
)
def test_a_return_type_that_says_nothing_leaves_the_shape_unknown(returns: Any) -> None:
    assert shape_of(returning(returns)) is None


def test_every_kind_of_handler_has_its_return_type() -> None:
    class Handler:
        async def __call__(self, ctx: Any) -> str:
            return ""

        def method(self, ctx: "Context") -> str:
            return ""

    def plain(ctx: Any, payload: Any) -> str:
        return ""

    @functools.wraps(plain)
    def wrapped(*args: Any) -> Any: ...

    for handler in (Handler(), Handler().method, plain, wrapped, functools.partial(plain, payload=1)):
        assert shape_of(handler) == TEXT
    for untyped in (print, lambda ctx: ""):
        assert shape_of(untyped) is None


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (Order, [{"id": 1, "status": Status.PAID, "lines": [Line("a", decimal.Decimal("1.50"))]}]),
        (list[Parcel], [[Parcel(weightKg=30)]]),
        (Labelled, [Labelled(weightKg=2)]),
        (Tree, [Tree(children=[Tree()])]),
        (list[tuple[int, Path]], [[(1, Path("a"))]]),
        (set[datetime.time], [{datetime.time(1, 2)}]),
        (bytes, [b"a"]),
    ],
)
def test_the_json_of_a_result_fits_its_shape(kind: Any, values: list[Any]) -> None:
    shape = result_shape(kind, None, "do")
    for value in values:
        jsonschema.validate(json.loads(to_json_text(value)), shape)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"weight_kg": "heavy", "weightKg": "heavy", "children": 1}, shape)


@pytest.mark.parametrize(
    "description",
    ["The id of the order", {"id": {"type": "integer"}}, {"type": "array", "items": {"type": "string"}}],
)
def test_a_description_in_json_is_sent_as_it_is(description: Any) -> None:
    assert result_shape(description, int, "do") == description


def test_any_as_a_description_leaves_the_shape_unknown() -> None:
    assert result_shape(Any, int, "do") is None


@pytest.mark.parametrize(
    ("description", "reason"),
    [
        ({"city": str}, "it is not plain JSON: /city is the class str"),
        (7, "7 has no JSON Schema here"),
        (Toolkit, "Toolkit has no JSON Schema here"),
    ],
)
def test_a_description_that_cannot_be_used_is_left_out_with_a_warning(description: Any, reason: str) -> None:
    toolkit = Toolkit(KEY)
    with pytest.warns(UserWarning, match=f'The result_description of "do" is left out: .*{reason}') as warned:
        toolkit.action(action="do", action_description="Does it", result_description=description)(print)
    assert warned[0].filename == __file__


async def test_the_shape_is_registered_and_the_same_after_a_reconnect() -> None:
    async with wire_service() as service:
        toolkit = Toolkit(KEY, base_url=service.url)

        @toolkit.action(action="tree", action_description="The tree")
        def tree(ctx: Any) -> Tree | None: ...

        async with running(toolkit):
            socket = await service.socket()
            first = await socket.accept()
            assert first["actions"][0]["resultDescription"]["anyOf"][1] == {"type": "null"}
            socket.cut()
            socket = await service.socket()
            assert (await socket.accept())["actions"] == first["actions"]
            listed: ActionWithHandler = {"action": "text", "action_description": "A text", "handler": print}
            toolkit.set_actions([{**listed, "result_description": "Its words"}, {**listed, "action": "other"}])
            shapes = [action.get("resultDescription") for action in (await socket.accept())["actions"]]
            assert shapes == ["Its words", None]
