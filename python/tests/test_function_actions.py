"""Actions whose name, description, payload and result come from a function."""

import dataclasses
import enum
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import pytest
from pydantic import BaseModel, Field

from svc import ActionContext, SvcError, Toolkit
from svc.toolkit.action import Action, define_action
from svc.toolkit.action_error import ActionError
from svc.toolkit.docstring import read_docstring

KEY = "svc_toolkit_test"
CONTEXT: Any = object()


class Unit(enum.Enum):
    CELSIUS = "c"
    FAHRENHEIT = "f"


@dataclasses.dataclass
class Place:
    lat: float
    lon: float


class Order(BaseModel):
    number: int


class City(TypedDict):
    name: str


def defined(handler: Callable[..., Any], **options: Any) -> Action:
    names = ("action", "action_description", "payload_description", "result_description")
    others: dict[str, Any] = {"annotations": None, "payment": None, "auth": None, "long": False}
    return define_action(handler, **{**dict.fromkeys(names), **others, **options})


async def forecast(
    city: str,
    ctx: ActionContext,
    days: Annotated[int, Field(ge=1, le=5)] = 3,
    *,
    unit: Unit = Unit.CELSIUS,
    kind: Literal["short", "long"] = "short",
    at: Place | None = None,
) -> list[str]:
    """Weather of a city.

    Takes names in any language.

    Args:
        city (str): name of the city,
            such as Rome
        kind: length of the texts

    Returns:
        one text per day
    """
    assert ctx is CONTEXT
    return [city, str(days), unit.value, kind, str(at)]


FORECAST = {
    "action": "forecast",
    "actionDescription": "Weather of a city.\n\nTakes names in any language.",
    "payloadDescription": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "name of the city, such as Rome"},
            "days": {"type": "integer", "minimum": 1, "maximum": 5, "default": 3},
            "unit": {"enum": ["c", "f"], "default": "c"},
            "kind": {"enum": ["short", "long"], "description": "length of the texts", "default": "short"},
            "at": {
                "anyOf": [
                    {
                        "type": "object",
                        "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}},
                        "required": ["lat", "lon"],
                    },
                    {"type": "null"},
                ],
                "default": None,
            },
        },
        "required": ["city"],
    },
    "resultDescription": {"type": "array", "items": {"type": "string"}},
}


async def test_a_function_describes_its_action() -> None:
    action = defined(forecast)
    assert action.registration == FORECAST
    assert await action.run(CONTEXT, {"city": "Rome"}) == ["Rome", "3", "c", "short", "None"]
    payload = {"city": "Rome", "days": 5, "unit": "f", "at": {"lat": 1, "lon": 2}, "unknown": True}
    assert await action.run(CONTEXT, payload) == ["Rome", "5", "f", "short", "Place(lat=1.0, lon=2.0)"]


@pytest.mark.parametrize(
    ("payload", "issues"),
    [
        ({}, [{"path": "/city", "message": "is required"}]),
        ({"city": 7}, [{"path": "/city", "message": "must be string"}]),
        ({"city": "Rome", "days": 9}, [{"path": "/days", "message": "Input should be less than or equal to 5"}]),
        ([], [{"path": "", "message": "must be object"}]),
    ],
)
async def test_a_payload_that_does_not_fit_is_told_by_member(payload: Any, issues: Any) -> None:
    with pytest.raises(ActionError) as refused:
        await defined(forecast).run(CONTEXT, payload)
    assert refused.value.code == "INVALID_PAYLOAD"
    assert refused.value.data == {"issues": issues}


def default_of_pydantic(text: str = Field(description="any text"), most: int = Field(7, gt=0)) -> list[Any]:
    """Repeats."""
    return [text, most]


async def test_a_default_of_pydantic_describes_its_parameter() -> None:
    action = defined(default_of_pydantic)
    assert action.registration["payloadDescription"] == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "any text"},
            "most": {"type": "integer", "exclusiveMinimum": 0, "default": 7},
        },
        "required": ["text"],
    }
    assert await action.run(CONTEXT, {"text": "a"}) == ["a", 7]


class Form(NamedTuple):
    handler: Callable[..., Any]
    payload: Any
    result: Any


def no_parameters() -> str:
    """Says hello."""
    return "hello"


def whole_typed(payload: City, ctx: ActionContext) -> Any:
    """Takes the whole."""
    return [payload, ctx is CONTEXT]


def whole(ctx: Any, payload: Any) -> Any:
    """Takes the whole."""
    return [payload, ctx is CONTEXT]


def nested(order: Order) -> Any:
    """Takes a model as a member."""
    return order.number


def untyped(a, b=2):  # type: ignore[no-untyped-def]
    """Takes anything."""
    return [a, b]


def positional(a: int, /, b: int) -> Any:
    """Takes one by position."""
    return a - b


class WithCall:
    """Is no docstring of a function."""

    async def __call__(self, n: int) -> int:
        return n + 1


@pytest.mark.parametrize(
    "form",
    [
        Form(no_parameters, {}, "hello"),
        Form(whole_typed, {"name": "Rome"}, [{"name": "Rome"}, True]),
        Form(whole, {"any": [1]}, [{"any": [1]}, True]),
        Form(nested, {"order": {"number": 7}}, 7),
        Form(untyped, {"a": None}, [None, 2]),
        Form(positional, {"b": 1, "a": 3}, 2),
    ],
)
async def test_forms_of_handlers(form: Form) -> None:
    assert await defined(form.handler).run(CONTEXT, form.payload) == form.result


async def test_other_callables_need_a_name_and_a_description() -> None:
    named = {"action": "do", "action_description": "Does it"}
    assert await defined(WithCall(), **named).run(CONTEXT, {"n": 1}) == 2
    assert await defined(partial(positional, 5), **named).run(CONTEXT, {"b": 2}) == 3
    with pytest.raises(SvcError, match="needs a name: action="):
        defined(lambda ctx: None, action_description="Does it")
    with pytest.raises(SvcError, match="needs an action_description or a docstring"):
        defined(lambda ctx: None, action="do")


def any_names(**names: Any) -> None:
    """Takes names."""


def any_values(*values: Any) -> None:
    """Takes values."""


def unreadable(city: "Nowhere") -> None:  # type: ignore[name-defined]  # noqa: F821
    """Has a type that does not exist."""


def without_schema(thing: WithCall) -> None:
    """Takes a thing."""


@pytest.mark.parametrize(
    ("handler", "message"),
    [
        (any_names, r'The handler of "any_names" takes \*\*names: Any: name each parameter'),
        (any_values, r'The handler of "any_values" takes \*values: Any: name each parameter'),
        (unreadable, "The types of the handler of .* cannot be read: name 'Nowhere' is not defined"),
        (without_schema, 'The parameters of "without_schema": WithCall has no JSON Schema here'),
    ],
)
def test_a_function_that_no_payload_can_call_is_refused(handler: Callable[..., Any], message: str) -> None:
    with pytest.raises(SvcError, match=message) as refused:
        Toolkit(KEY).action(handler)
    assert refused.value.code == "INVALID_ACTION"


def test_the_decorator_has_parentheses_or_not_and_returns_the_function() -> None:
    toolkit = Toolkit(KEY)
    assert toolkit.action(no_parameters) is no_parameters
    assert toolkit.action(annotations={"readOnly": True})(nested) is nested
    assert toolkit.remove_action("no_parameters")
    assert toolkit.remove_action("nested")


async def test_names_and_a_description_leave_the_form_of_context_and_payload_as_it_is() -> None:
    def plain(context: ActionContext, data: dict[str, Any]) -> Any:
        return [data, context is CONTEXT]

    action = defined(plain, action="do", action_description="Does it")
    assert "payloadDescription" not in action.registration
    assert await action.run(CONTEXT, {"a": 1}) == [{"a": 1}, True]


NUMPY = """Adds.

Parameters
----------
a, b : int
    numbers of any size,
    also negative ones
scale : float, optional
    factor

Returns
-------
int
    the sum

Notes
-----
Exact.
"""
REST = """Adds.

:param a: first
    number
:param float scale: factor
:type a: int
:returns: the sum

Exact.
"""


@pytest.mark.parametrize(
    ("text", "description", "parameters"),
    [
        (None, "", {}),
        ("One line", "One line", {}),
        (NUMPY, "Adds.\n\nNotes\n-----\nExact.", {"a": 1, "b": 1, "scale": "factor"}),
        (REST, "Adds.\n\nExact.", {"a": "first number", "scale": "factor"}),
        (
            "Adds.\n\nArgs:\n  *values: what\n\n    is added: all\nRest.",
            "Adds.\n\nRest.",
            {"values": "what is added: all"},
        ),
        ("Note: it costs.\n\nRaises:\n    ValueError: never", "Note: it costs.", {}),
    ],
)
def test_docstrings_of_three_styles(text: str | None, description: str, parameters: dict[str, Any]) -> None:
    found = read_docstring(text)
    expected = {name: "numbers of any size, also negative ones" if it == 1 else it for name, it in parameters.items()}
    assert (found.description, found.parameters) == (description, expected)
