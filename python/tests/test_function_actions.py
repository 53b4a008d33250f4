"""Actions whose name, description, payload and result come from a function."""

import dataclasses
import datetime
import enum
import functools
import threading
import uuid
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple, Protocol, TypedDict

import pytest
from pydantic import BaseModel, Field

from svc import ActionContext, SvcError, Toolkit, Tools
from svc.testing import LocalService
from svc.toolkit.action import Action, define_action
from svc.toolkit.action_error import ActionError
from svc.toolkit.docstring import read_docstring
from tests.support.keys import create_key
from tests.support.running import serving

KEY = "svc_toolkit_test"
CONTEXT: Any = object()
CODE = str(uuid.UUID(int=0, version=4))


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
    others: dict[str, Any] = {"annotations": None, "payment": None, "auth": None, "long": False, "local_names": {}}
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
async def test_a_payload_that_does_not_fit_is_reported_by_member(payload: Any, issues: Any) -> None:
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


def positional_defaults(a: int = 1, c: int = 2, /) -> Any:
    """Takes both by position."""
    return [a, c]


def optional_context(city: str, ctx: ActionContext | None = None) -> Any:
    """Is called without a context by other code."""
    return [city, ctx is CONTEXT]


def for_type_checkers(city: str, context: "NotImported | ActionContext") -> Any:  # type: ignore[name-defined]  # noqa: F821
    """Has a context under TYPE_CHECKING."""
    return [city, context is CONTEXT]


def list_of_field(names: Annotated[list[str], Field(default_factory=list)]) -> Any:
    """Appends."""
    names.append("a")
    return names


def dated(at: datetime.datetime, code: uuid.UUID, city: Annotated[City, Field(description="where")]) -> Any:
    """Takes types of texts."""
    return [at.year, code.version, city["name"]]


def times_two(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def twice(*args: Any, **kwargs: Any) -> Any:
        return [function(*args, **kwargs)] * 2

    return twice


@times_two
def decorated(city: str) -> Any:
    """Has a decorator of its own."""
    return city


class Office:
    def __init__(self) -> None:
        self.greeting = "hello"

    async def greet(self, name: str) -> str:
        """Greets a person."""
        return f"{self.greeting} {name}"


class WithCall:
    """This is not the docstring of a function."""

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
        Form(positional_defaults, {"c": 5}, [1, 5]),
        Form(optional_context, {"city": "Rome"}, ["Rome", True]),
        Form(for_type_checkers, {"city": "Rome"}, ["Rome", True]),
        Form(list_of_field, {}, ["a"]),
        Form(
            dated,
            {"at": "2026-01-02T03:04:05Z", "code": str(uuid.UUID(int=0, version=4)), "city": {"name": "a"}},
            [2026, 4, "a"],
        ),
        Form(decorated, {"city": "Rome"}, ["Rome", "Rome"]),
        Form(Office().greet, {"name": "Ada"}, "hello Ada"),
    ],
)
async def test_forms_of_handlers(form: Form) -> None:
    action = defined(form.handler)
    # A later call gets nothing of an earlier one.
    results = [await action.run(CONTEXT, form.payload) for _ in range(2)]
    assert results == [form.result] * 2


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


def without_schema(city: str, thing: WithCall) -> None:
    """Takes a thing."""


def whole_of_text(payload: str) -> None:
    """Takes a text as the payload."""


class Station:
    def of_object(self, city: str) -> None:
        """Belongs to an object."""


@pytest.mark.parametrize(
    ("handler", "message"),
    [
        (any_names, r'"any_names" takes \*\*names: Any, but its parameters are .*: name each .* functools.wraps'),
        (any_values, r'"any_values" takes \*values: Any, but'),
        (unreadable, 'parameter "city" of "unreadable", Nowhere, cannot be read: .*; import it without TYPE_CHECKING'),
        (without_schema, 'The handler of "without_schema": the parameter "thing": WithCall has no JSON Schema here'),
        (whole_of_text, 'The parameter "payload" of "whole_of_text" is the whole payload: a pydantic model'),
        (Station.of_object, r"is a method without its object: toolkit.action\(thing.of_object\)"),
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


class Greets(Protocol):
    def error(self, code: str, message: str) -> Exception: ...


def form_untyped(ctx, payload):  # type: ignore[no-untyped-def]
    return [payload, ctx is CONTEXT]


def form_typed(context: ActionContext, data: dict[str, Any]) -> Any:
    return [data, context is CONTEXT]


def form_of_typed_dict(ctx: ActionContext, order: City) -> Any:
    return [order, ctx is CONTEXT]


def form_of_protocol(greets: Greets, data: Mapping[str, Any] | None) -> Any:
    return [data, greets is CONTEXT]


def form_with_more(ctx: Any, payload: Any, more: int = 1, *, other: int = 2) -> Any:
    return [payload, ctx is CONTEXT and (more, other) == (1, 2)]


def form_unreadable(ctx: "Nowhere", payload: "Nowhere") -> Any:  # type: ignore[name-defined]  # noqa: F821
    return [payload, ctx is CONTEXT]


@pytest.mark.parametrize(
    "handler", [form_untyped, form_typed, form_of_typed_dict, form_of_protocol, form_with_more, form_unreadable]
)
async def test_a_name_and_a_description_leave_the_form_of_context_and_payload_as_it_is(handler: Any) -> None:
    action = defined(handler, action="do", action_description="Does it")
    assert "payloadDescription" not in action.registration
    assert await action.run(CONTEXT, {"name": "a"}) == [{"name": "a"}, True]


async def test_a_name_and_a_description_infer_the_payload_of_typed_parameters() -> None:
    action = defined(optional_context, action="do", action_description="Does it")
    assert action.registration["payloadDescription"]["required"] == ["city"]


def test_a_nested_function_names_types_of_its_scope() -> None:
    @dataclasses.dataclass
    class Wish:
        city: str

    toolkit = Toolkit(KEY)

    @toolkit.action
    def today(wish: "Wish") -> "list[Wish]":
        """Has types that its module does not have."""
        return [wish]

    @toolkit.action(annotations={"readOnly": True})
    def tomorrow(wish: "Wish") -> "list[Wish]":
        """Has them in the decorator with arguments too."""
        return [wish]

    wish = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    for action in toolkit._actions.values():
        assert action.registration["payloadDescription"]["properties"] == {"wish": wish}
        assert action.registration["resultDescription"] == {"type": "array", "items": wish}


async def test_a_plain_function_runs_in_a_thread_and_a_coroutine_function_does_not() -> None:
    def thread() -> int:
        """Names its thread."""
        return threading.get_ident()

    async def loop() -> int:
        """Names its thread."""
        return threading.get_ident()

    here = threading.get_ident()
    assert [await defined(each).run(CONTEXT, {}) == here for each in (thread, loop)] == [False, True]


async def test_an_agent_finds_and_calls_a_function(service: LocalService) -> None:
    toolkit = Toolkit(create_key(service, "toolkit", "stations"), base_url=service.url)

    @toolkit.action
    def measure_snow(ctx: ActionContext, station: str, unit: Unit = Unit.CELSIUS) -> list[Place]:
        """Measures the snow at a station in the mountains.

        Args:
            station: name of the station, such as Zugspitze
            unit: of the temperatures
        """
        return [Place(len(station), 1.5 if unit is Unit.CELSIUS else 0)]

    async with serving(toolkit), Tools(create_key(service, "agent", "agent"), base_url=service.url) as tools:
        (found,) = (await tools.search("snow at a mountain station"))["actions"]
        assert found["action"] == "stations__measure_snow"
        assert found["description"] == "Measures the snow at a station in the mountains."
        assert (
            found["payloadSchema"]["properties"]["station"]["description"] == "name of the station, such as Zugspitze"
        )
        assert found["result"] == "{lat:number, lon:number}[]"
        answer = await tools.invoke(found["action"], {"station": "Zugspitze"})
        assert answer["result"] == [{"lat": 9, "lon": 1.5}]
        with pytest.raises(SvcError, match="station") as refused:
            await tools.invoke(found["action"], {"city": "Zugspitze"})
        assert refused.value.code == "INVALID_PAYLOAD"


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
        (
            "Sends.\n\nArgs:\n    done (Callable[[int], (str)]): called\n:class:`Order` is sent.",
            "Sends.\n\n:class:`Order` is sent.",
            {"done": "called"},
        ),
        ("Note: it costs.\n\nRaises:\n    ValueError: never", "Note: it costs.", {}),
    ],
)
def test_docstrings_of_three_styles(text: str | None, description: str, parameters: dict[str, Any]) -> None:
    found = read_docstring(text)
    expected = {name: "numbers of any size, also negative ones" if it == 1 else it for name, it in parameters.items()}
    assert (found.description, found.parameters) == (description, expected)
