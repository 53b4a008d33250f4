"""Definitions of actions, typed payloads, results as JSON, and the context of handlers."""

import asyncio
import base64
import dataclasses
import datetime
import decimal
import enum
import json
import threading
import uuid
from collections import namedtuple
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from pydantic import BaseModel, Field

from svc import ActionContext, SvcError, Toolkit
from svc.errors import SvcError as ErrorClass
from svc.toolkit import ActionError, Attachment, CallWarning
from svc.toolkit.payload_model import payload_model
from svc.toolkit.plain_json import to_json_text
from svc.worker_threads import WorkerThreads
from tests.support.running import running
from tests.support.waiting import PATIENCE, until
from tests.support.wire_service import WireSocket, wire_service

KEY = "svc_toolkit_test"
FULL: dict[str, Any] = {"action": "do", "action_description": "Does it"}


def handler(ctx: ActionContext, payload: Any) -> Any:
    return payload


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ({"api_key": None}, "INVALID_KEY", "set SVC_TOOLKIT_API_KEY or pass api_key"),
        ({"api_key": "nonsense"}, "INVALID_KEY", "a toolkit key is svc_toolkit_ and then letters and digits"),
        ({"api_key": 7}, "INVALID_KEY", "is mistyped"),
        ({"api_key": "svc_agent_x"}, "WRONG_KEY_KIND", "this is an agent key"),
        ({"base_url": "example.com"}, "INVALID_REQUEST", "is not an http"),
        ({"base_url": "http://me:pw@example.com"}, "INVALID_REQUEST", "may have no user, password"),
        ({"concurrency": 0}, "INVALID_REQUEST", "concurrency is a whole number from 1 to 10000, not 0"),
        ({"concurrency": "10"}, "INVALID_REQUEST", "not '10'"),
        ({"on_status": "print"}, "INVALID_REQUEST", "on_status is a plain function that gets a ToolkitStatus"),
        ({"on_warning": asyncio.sleep}, "INVALID_REQUEST", "on_warning is a plain function"),
        ({"on_rejected": "ignore"}, "INVALID_REQUEST", """on_rejected is "fail" or "skip", not 'ignore'"""),
        ({"middleware": "trace"}, "INVALID_REQUEST", r"middleware is an async function \(ctx, call_next\)"),
    ],
)
def test_an_invalid_option_is_refused_with_what_to_write(options: dict[str, Any], code: str, message: str) -> None:
    with pytest.raises(SvcError, match=message) as refused:
        Toolkit(**{"api_key": KEY, **options})
    assert refused.value.code == code


def three(ctx: Any, payload: Any, more: Any) -> None: ...
def none() -> None: ...
def named(ctx: Any, *, payload: Any) -> None: ...
def yields(ctx: Any) -> Any:
    yield 1


async def yields_later(ctx: Any) -> Any:
    yield 1


class NotAModel: ...


class Loop(TypedDict):
    again: "list[Loop]"


@dataclasses.dataclass
class Strange:
    what: NotAModel


UNREADABLE = dataclasses.make_dataclass("Unreadable", [("what", "Nowhere")])


class ListModel(BaseModel):
    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        return {"type": "array"}


@pytest.mark.parametrize(
    ("definition", "function", "message"),
    [
        ({"action": ""}, handler, "An action needs a name"),
        ({"action": 7}, handler, "An action needs a name"),
        ({"action": "Wetter in Köln"}, handler, 'may have only A-Z a-z 0-9 _ -; write "Wetter_in_Koln"'),
        ({"action": "x" * 63}, handler, "has 63 characters; at most 62 fit"),
        ({"action_description": " "}, handler, 'Action "do" needs an action_description'),
        ({"action_description": None}, handler, 'Action "do" needs an action_description'),
        ({"payment": {"amount": 0.05}}, handler, 'payment."amount". of action "do" must be a decimal text'),
        ({"payment": "0.05"}, handler, "must be a decimal text"),
        ({"payload_description": {"city": str}}, handler, "not plain JSON: /payloadDescription/city is the class str"),
        ({"payload_description": {"a": [1, {2}]}}, handler, "/payloadDescription/a/1 is of the type set"),
        ({"payload_description": {1: "a"}}, handler, "/payloadDescription has the name 1, which is not a text"),
        ({"payload_description": {"a": float("inf")}}, handler, "/payloadDescription/a is inf"),
        ({"payload_description": NotAModel}, handler, "is the class NotAModel: it takes a pydantic model"),
        ({"payload_description": str}, handler, "is the class str: it takes a pydantic model"),
        ({"payload_description": Loop}, handler, "Loop refers to itself"),
        ({"payload_description": Strange}, handler, "NotAModel has no JSON Schema here"),
        ({"payload_description": UNREADABLE}, handler, "the types of Unreadable cannot be read: name 'Nowhere'"),
        ({"payload_description": ListModel}, handler, "A payload is an object, but .* describes: array"),
        ({"auth": True}, handler, r'Action "do": auth is False, or {"scopes": '),
        ({"auth": {"scopes": "repo"}}, handler, "scopes is a list of texts"),
        ({"annotations": {"readOnly": print}}, handler, "/annotations/readOnly is of the type builtin"),
        (
            {"payload_description": "any"},
            three,
            r"takes \(ctx\) or \(ctx, payload\), not \(ctx: Any, payload: Any, more: Any\)",
        ),
        ({"payload_description": "any"}, none, r"takes \(ctx\) or \(ctx, payload\), not \(\)"),
        ({"payload_description": "any"}, named, r"takes \(ctx\) or \(ctx, payload\)"),
        ({}, yields, 'The handler of "do" yields'),
        ({}, yields_later, 'The handler of "do" yields'),
        ({}, "handler", "needs a handler: put the decorator above a function"),
    ],
)
def test_an_invalid_action_is_refused(definition: dict[str, Any], function: Any, message: str) -> None:
    with pytest.raises(SvcError, match=message) as refused:
        Toolkit(KEY).action(**{**FULL, **definition})(function)
    assert refused.value.code == "INVALID_ACTION"


def test_two_actions_of_one_name_are_refused() -> None:
    toolkit = Toolkit(KEY)
    toolkit.action(**FULL)(handler)
    with pytest.raises(SvcError, match='There is an action "do" already'):
        toolkit.action(**FULL)(handler)


def test_the_decorator_returns_the_handler() -> None:
    assert Toolkit(KEY).action(**FULL)(handler) is handler


async def test_invalid_details_are_refused() -> None:
    with pytest.raises(SvcError, match="The name of a toolkit is a text that is not empty"):
        await Toolkit(KEY).update_toolkit(name=" ")
    with pytest.raises(SvcError, match="The description of a toolkit is a text"):
        await Toolkit(KEY).update_toolkit(description=7)  # type: ignore[arg-type]
    with pytest.raises(SvcError, match=r"update_toolkit\(auth=…\): type is one of bearer, basic, apiKey, oauth2"):
        await Toolkit(KEY).update_toolkit(auth={"type": "token", "from": "caller"})  # type: ignore[arg-type]


class Unit(enum.Enum):
    CELSIUS = "C"
    FAHRENHEIT = "F"


class Place(TypedDict):
    city: Annotated[str, "Name of the city"]
    country: NotRequired[str | None]


class Range(BaseModel):
    low: int
    high: int = Field(default=10, description="At most")


@dataclasses.dataclass
class Forecast:
    place: Place
    unit: Unit
    day: datetime.date
    at: datetime.datetime
    ticket: uuid.UUID
    days: int = 3
    factor: float = 1.0
    tags: list[str] = dataclasses.field(default_factory=list)
    kinds: set[Literal["rain", "sun"]] = dataclasses.field(default_factory=set)
    pair: tuple[int, str] | None = None
    rest: tuple[float, ...] = ()
    more: dict[str, bool] = dataclasses.field(default_factory=dict)
    anything: Any = None
    range: Range | None = None

    def __post_init__(self) -> None:
        if self.days > 7:
            raise ValueError("at most 7 days")


def parse(model: Any, payload: Any) -> Any:
    made = payload_model(model, "do")
    assert made is not None
    return made.parse(payload)


REQUIRED = {
    "place": {"city": "Rome"},
    "unit": "C",
    "day": "2026-11-24",
    "at": "2026-11-24T12:00:00Z",
    "ticket": "3f2b8c1e-9d47-4a6b-8e15-7c0d2f9a4b63",
}


def test_a_dataclass_has_a_schema_and_gets_typed_values() -> None:
    model = payload_model(Forecast, "do")
    assert model is not None
    properties = model.schema["properties"]
    assert model.schema["required"] == ["place", "unit", "day", "at", "ticket"]
    assert properties["place"] == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Name of the city"},
            "country": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["city"],
    }
    assert properties["unit"] == {"enum": ["C", "F"]}
    assert properties["days"] == {"type": "integer", "default": 3}
    assert properties["kinds"] == {"type": "array", "items": {"enum": ["rain", "sun"]}, "uniqueItems": True}
    assert properties["more"] == {"type": "object", "additionalProperties": {"type": "boolean"}}
    json.dumps(model.schema)

    value = model.parse(
        {
            **REQUIRED,
            "days": 2.0,
            "factor": 2,
            "tags": ["a"],
            "kinds": ["rain"],
            "pair": [1, "x"],
            "rest": [1, 2.5],
            "more": {"a": True},
            "anything": [None],
            "range": {"low": 1},
            "not": "declared",
        }
    )
    assert value == Forecast(
        place={"city": "Rome"},
        unit=Unit.CELSIUS,
        day=datetime.date(2026, 11, 24),
        at=datetime.datetime(2026, 11, 24, 12, tzinfo=datetime.UTC),
        ticket=uuid.UUID(REQUIRED["ticket"]),  # type: ignore[arg-type]
        days=2,
        factor=2.0,
        tags=["a"],
        kinds={"rain"},
        pair=(1, "x"),
        rest=(1.0, 2.5),
        more={"a": True},
        anything=[None],
        range=Range(low=1),
    )
    assert (type(value.days), type(value.factor)) == (int, float)


@pytest.mark.parametrize(
    ("change", "path", "message"),
    [
        ({"place": {}}, "/place/city", "is required"),
        ({"place": 7}, "/place", "must be object"),
        ({"unit": "K"}, "/unit", "must be one of 'C', 'F'"),
        ({"day": "soon"}, "/day", "must be a date"),
        ({"at": 7}, "/at", "must be a date-time"),
        ({"days": True}, "/days", "must be integer"),
        ({"days": 1.5}, "/days", "must be integer"),
        ({"days": 8}, "", "at most 7 days"),
        ({"tags": ["a", 1]}, "/tags/1", "must be string"),
        ({"tags": "a"}, "/tags", "must be array"),
        ({"pair": [1]}, "/pair", "must be null"),
        ({"more": {"a/b~": 1}}, "/more/a~1b~0", "must be boolean"),
        ({"range": {"low": "x"}}, "/range", "must be null"),
    ],
)
def test_a_payload_that_does_not_fit_names_the_place(change: dict[str, Any], path: str, message: str) -> None:
    with pytest.raises(ActionError, match="The payload does not fit the action") as failed:
        parse(Forecast, {**REQUIRED, **change})
    assert failed.value.code == "INVALID_PAYLOAD"
    assert {"path": path, "message": message} in failed.value.data["issues"]


def test_a_pydantic_model_is_validated() -> None:
    model = payload_model(Range, "do")
    assert model is not None
    assert model.schema == Range.model_json_schema()
    assert model.parse({"low": "3"}) == Range(low=3)
    with pytest.raises(ActionError, match="/low: ") as failed:
        model.parse({"low": "x", "high": []})
    assert [issue["path"] for issue in failed.value.data["issues"]] == ["/low", "/high"]


def test_a_typed_dict_gets_the_declared_members() -> None:
    assert parse(Place, {"city": "Rome", "more": 1}) == {"city": "Rome"}
    with pytest.raises(ActionError, match="/city: is required"):
        parse(Place, {})


class Colour(enum.StrEnum):
    RED = "red"


@dataclasses.dataclass
class Point:
    x: int
    when: datetime.date


Pair = namedtuple("Pair", ["a", "b"])


class Odd:
    def model_dump(self, mode: str) -> Any:
        raise RuntimeError("no")


class Array:
    def tolist(self) -> Any:
        return [1, 2]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"é": [1, 1.5, None, True]}, '{"é":[1,1.5,null,true]}'),
        ({1: "a", None: "b", False: "c", Unit.CELSIUS: "d"}, '{"1":"a","null":"b","false":"c","C":"d"}'),
        ([float("nan"), float("inf"), 2**64], "[null,null,18446744073709551616]"),
        ((1, (2,)), "[1,[2]]"),
        ({"a"}, '["a"]'),
        (Point(1, datetime.date(2026, 1, 2)), '{"x":1,"when":"2026-01-02"}'),
        (Pair(1, {2}), '{"a":1,"b":[2]}'),
        (Range(low=1), '{"low":1,"high":10}'),
        ([Colour.RED, Unit.CELSIUS], '["red","C"]'),
        (decimal.Decimal("0.10"), '"0.10"'),
        (uuid.UUID(int=1), '"00000000-0000-0000-0000-000000000001"'),
        (datetime.timedelta(seconds=90), "90.0"),
        ([b"abc", bytearray(b"a"), memoryview(b"b")], '["YWJj","YQ==","Yg=="]'),
        (Path("/a/b"), '"/a/b"'),
        (ValueError("bad"), '{"name":"ValueError","message":"bad"}'),
        (range(3), "[0,1,2]"),
        ({"a": 1}.keys(), '["a"]'),
        (Array(), "[1,2]"),
        ("half \ud800", '"half \\ud800"'),
        (Attachment({"type": "text", "text": "words"}), '"words"'),
    ],
)
def test_any_result_becomes_json(value: Any, text: str) -> None:
    assert to_json_text(value) == text


def test_a_cycle_does_not_lose_other_values() -> None:
    circle: dict[str, Any] = {"name": "a"}
    circle["self"] = [circle, {1}]
    assert to_json_text(circle) == '{"name":"a","self":["[Circular]",[1]]}'
    graph = [[] for _ in range(30)]  # type: list[list[Any]]
    for node in graph:
        node.extend(graph)
    assert "[Circular]" in to_json_text(graph)


def test_a_shared_object_is_written_twice() -> None:
    shared = {"when": datetime.date(2026, 1, 2)}
    assert to_json_text([shared, shared]) == '[{"when":"2026-01-02"},{"when":"2026-01-02"}]'


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (object(), "A result is JSON, and object is not"),
        (Odd(), "cannot be written as JSON: no"),
        (lambda: 1, "A result is JSON, and function is not"),
    ],
)
def test_the_error_for_a_result_that_is_not_json_names_its_type(value: Any, message: str) -> None:
    with pytest.raises(ActionError, match=message):
        to_json_text({"deep": [value]})


def test_the_error_for_a_result_with_too_many_levels_names_the_limit() -> None:
    deep: Any = {1}
    for _ in range(2_000):
        deep = [deep]
    with pytest.raises(ActionError, match="nested deeper than 300 levels"):
        to_json_text(deep)


async def outcome_of(function: Any, payload: Any = None, params: Any = None, **definition: Any) -> Any:
    """The answer of a toolkit with this one handler."""
    async with wire_service() as service:
        toolkit = Toolkit(KEY, base_url=service.url)
        toolkit.action(**{**FULL, **definition})(function)
        async with running(toolkit):
            socket = await service.socket()
            await socket.accept()
            await socket.invoke("inv_1", "do", payload, **(params or {}))
            return await _answer(socket)


async def _answer(socket: WireSocket) -> Any:
    while True:
        frame = await socket.next()
        if frame.get("id") == "inv_1":
            return {name: member for name, member in frame.items() if name in ("result", "error", "content", "payment")}


class CallableHandler:
    async def __call__(self, ctx: ActionContext, payload: Any = None) -> Any:
        return ["object", payload]


async def later(ctx: ActionContext, payload: dict[str, Any]) -> Any:
    await asyncio.sleep(0)
    return ctx.Result(payload)


@pytest.mark.parametrize(
    ("function", "result"),
    [
        (lambda ctx: ctx.agent_id, "key_agent"),
        (lambda ctx, payload: payload, {}),
        (lambda ctx, payload=None: payload, {}),
        (lambda *args: len(args), 2),
        (later, {}),
        (lambda ctx, payload: later(ctx, payload), {}),
        (partial(later, payload={"n": 7}), {"n": 7}),
        (CallableHandler(), ["object", {}]),
        (lambda ctx: None, None),
        (lambda ctx: ctx.Result("a") and None, "a"),
        (lambda ctx: [ctx.result("a"), ctx.result("b"), None][2], "b"),
        (lambda ctx: [ctx.result("a"), "c"][1], "c"),
        (lambda ctx: [ctx.invocation_id, ctx.action, ctx.attempt, ctx.user_id], ["inv_1", "do", 1, None]),
        (lambda ctx: threading.current_thread().name, "svc-handler"),
    ],
)
async def test_handlers_of_every_kind(function: Any, result: Any) -> None:
    assert await outcome_of(function) == {"result": result}


def raises(ctx: ActionContext) -> Any:
    raise KeyError("city")


def raises_silently(ctx: ActionContext) -> Any:
    raise ValueError


def expected(ctx: ActionContext) -> Any:
    raise ctx.error("SOLD_OUT", "Sold out", data={"left": 0}, retryable=True, retry_after=1.5)


def nested(ctx: ActionContext) -> Any:
    raise ErrorClass("RATE_LIMITED", "Wait")


def stop(ctx: ActionContext) -> Any:
    raise StopIteration


async def cancels_itself(ctx: ActionContext) -> Any:
    raise asyncio.CancelledError


@pytest.mark.parametrize(
    ("function", "data"),
    [
        (raises, {"code": "HANDLER_THREW", "message": "'city'"}),
        (raises_silently, {"code": "HANDLER_THREW", "message": "ValueError"}),
        (
            expected,
            {
                "code": "SOLD_OUT",
                "message": "Sold out",
                "data": {"left": 0},
                "retryable": True,
                "retryAfterMs": 1500,
            },
        ),
        (lambda ctx: ctx.error("NO", "No"), {"code": "NO", "message": "No"}),
        # The error of a nested call.
        (nested, {"code": "RATE_LIMITED", "message": "Wait"}),
        (cancels_itself, {"code": "HANDLER_THREW", "message": "CancelledError"}),
        (lambda ctx: object(), None),
        (stop, None),
        (lambda ctx: ctx.error("NO", "No", data=object()), {"code": "INVALID_RESULT", "message": "No"}),
    ],
)
async def test_failures_of_every_kind(function: Any, data: Any) -> None:
    error = (await outcome_of(function))["error"]
    assert error["code"] == -32000
    assert error["message"] == error["data"]["message"]
    assert "Traceback" not in json.dumps(error)
    if data is not None:
        assert error["data"] == data


async def test_a_typed_payload_reaches_the_handler() -> None:
    def days(ctx: ActionContext, wish: Range) -> int:
        return wish.high - wish.low

    assert await outcome_of(days, {"low": "4"}, payload_description=Range) == {"result": 6}
    failed = await outcome_of(days, {"low": "x"}, payload_description=Range)
    assert failed["error"]["data"]["code"] == "INVALID_PAYLOAD"


PNG = base64.b64decode("iVBORw0KGgo=")


@pytest.mark.parametrize(
    ("function", "outcome"),
    [
        (
            lambda ctx: [ctx.text("a"), ctx.audio(b"x", "audio/mpeg"), {"n": 1}][2],
            {
                "result": {"n": 1},
                "content": [
                    {"type": "text", "text": "a"},
                    {"type": "audio", "data": "eA==", "mimeType": "audio/mpeg"},
                ],
            },
        ),
        (
            lambda ctx: ctx.image(bytearray(PNG), "Image/PNG; x=1"),
            {"result": None, "content": [{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}]},
        ),
        (
            lambda ctx: [ctx.result({"n": 1}), [ctx.text("b"), ctx.text("a")]][1],
            {"result": {"n": 1}, "content": [{"type": "text", "text": "b"}, {"type": "text", "text": "a"}]},
        ),
        (
            lambda ctx: [ctx.result(ctx.text("a")), ctx.text("b")][1],
            {"result": None, "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        ),
        (
            lambda ctx: {"chart": ctx.image(memoryview(PNG), "image/png")},
            {
                "result": {"chart": "[image image/png, 8 bytes]"},
                "content": [{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}],
            },
        ),
        (
            lambda ctx: [ctx.file(b"a,b", "text/csv", "a b(1).csv"), ctx.file(b"\xff", "text/csv")],
            {
                "result": None,
                "content": [
                    {
                        "type": "resource",
                        "resource": {"uri": "svc://inv_1/a%20b(1).csv", "mimeType": "text/csv", "text": "a,b"},
                    },
                    {
                        "type": "resource",
                        "resource": {"uri": "svc://inv_1/file-2", "mimeType": "text/csv", "blob": "/w=="},
                    },
                ],
            },
        ),
        (
            lambda ctx: ctx.link("https://example.com", title="T", description="D", media_type="text/html", size=3),
            {
                "result": None,
                "content": [
                    {
                        "type": "resource_link",
                        "uri": "https://example.com",
                        "name": "example.com",
                        "title": "T",
                        "description": "D",
                        "mimeType": "text/html",
                        "size": 3,
                    }
                ],
            },
        ),
    ],
)
async def test_attachments(function: Any, outcome: Any) -> None:
    assert await outcome_of(function) == outcome


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda ctx: ctx.image(PNG, "text/plain"), 'takes a media type such as "image/png", not "text/plain"'),
        (lambda ctx: ctx.image(PNG, "png"), 'A media type looks like "image/png", not "png"'),
        (lambda ctx: ctx.image("text", "image/png"), "ctx.image takes bytes, not str"),
        (lambda ctx: ctx.image(b"", "image/png"), "ctx.image got no bytes"),
        (lambda ctx: ctx.file(7, "text/csv"), "ctx.file takes bytes, not int"),
        (lambda ctx: ctx.text(7), r"ctx.text\(text\) takes a text"),
        (lambda ctx: ctx.link("report.pdf"), r"ctx.link\(uri\) takes a whole address"),
        (lambda ctx: ctx.link(None), r"ctx.link\(uri\) takes a whole address"),
    ],
)
async def test_an_invalid_attachment_fails_the_call(function: Any, message: str) -> None:
    error = (await outcome_of(function))["error"]
    assert error["data"]["code"] == "INVALID_RESULT"
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(error["message"])


HOLD = {"payment": {"amount": "0.05", "currency": "USD"}}


async def test_charges() -> None:
    def with_result(ctx: ActionContext) -> Any:
        return ctx.Result(ctx.payment, payment={"amount": "0.02"})

    assert await outcome_of(with_result, params=HOLD) == {"result": HOLD["payment"], "payment": {"amount": "0.02"}}
    assert await outcome_of(lambda ctx: 1, params=HOLD) == {"result": 1}


@pytest.mark.parametrize(
    ("function", "params", "message"),
    [
        (lambda ctx: ctx.charge("0.06"), HOLD, r'more than ctx.payment\["amount"\], 0.05'),
        (lambda ctx: ctx.charge(0.01), HOLD, "The charge must be a decimal text .* not float"),
        (lambda ctx: [ctx.charge("0"), ctx.charge("0.01")], HOLD, "is charged 0 already"),
        (lambda ctx: ctx.charge("0.01"), {}, "The call is free"),
        (lambda ctx: ctx.charge("0.01"), {"payment": {"amount": 5}}, "The call is free"),
    ],
)
async def test_a_wrong_charge_fails_the_call(function: Any, params: Any, message: str) -> None:
    error = (await outcome_of(function, params=params))["error"]
    assert error["data"]["code"] == "INVALID_REQUEST"
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(error["message"])


async def test_a_charge_after_the_end_is_refused() -> None:
    kept: list[ActionContext] = []
    assert await outcome_of(kept.append, params=HOLD) == {"result": None}
    with pytest.raises(SvcError, match="The call has ended: charge before the handler returns"):
        kept[0].charge("0.01")


async def test_progress_from_a_thread_is_sent_before_the_result() -> None:
    def work(ctx: ActionContext) -> Any:
        ctx.progress(float("nan"))
        for number in range(20):
            ctx.progress(number, total=20, message="x" * 2_000)
        return "done"

    warnings: list[CallWarning] = []
    async with wire_service() as service:
        toolkit = Toolkit(KEY, base_url=service.url, on_warning=warnings.append)
        toolkit.action(**FULL)(work)
        async with running(toolkit):
            socket = await service.socket()
            await socket.accept()
            await socket.invoke("inv_1", "do")
            frames = [await socket.next() for _ in range(21)]
    message = "A report of progress was dropped: give a number, such as ctx.progress(1, total=5)"
    assert warnings == [CallWarning("inv_1", message)]
    assert [frame["params"]["progress"] for frame in frames[:20]] == list(range(20))
    assert frames[0]["params"] == {"invocationId": "inv_1", "progress": 0, "total": 20, "message": "x" * 1_000}
    assert frames[20] == {"jsonrpc": "2.0", "id": "inv_1", "result": "done"}


async def test_middleware_wraps_every_handler() -> None:
    seen: list[Any] = []

    async def watch(ctx: ActionContext, call_next: Any) -> Any:
        seen.append(ctx.action)
        result = await call_next()
        return {"wrapped": result}

    async with wire_service() as service:
        toolkit = Toolkit(KEY, base_url=service.url, middleware=watch)
        toolkit.action(**FULL)(lambda ctx: "done")
        async with running(toolkit):
            socket = await service.socket()
            await socket.accept()
            await socket.invoke("inv_1", "do")
            assert (await socket.next())["result"] == {"wrapped": "done"}
    assert seen == ["do"]


async def test_the_deadline_is_a_time_with_its_zone() -> None:
    left = await outcome_of(lambda ctx: (ctx.deadline - datetime.datetime.now(datetime.UTC)).total_seconds())
    assert 9 < left["result"] <= 10


async def test_an_idle_thread_runs_the_next_call() -> None:
    threads = WorkerThreads()
    first = await threads.run(threading.get_ident)
    await until(lambda: threads._free == 1)
    assert await threads.run(threading.get_ident) == first
    await until(lambda: threads._free == 1)
    barrier = threading.Barrier(2)
    await asyncio.gather(*(threads.run(barrier.wait, PATIENCE) for _ in range(2)))
    await until(lambda: threads._free == 2)


async def test_an_idle_thread_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svc.worker_threads._IDLE_TIME", 0.01)
    threads = WorkerThreads()
    thread = await threads.run(threading.current_thread)
    await until(lambda: not thread.is_alive())
    assert await threads.run(lambda: "another") == "another"


async def test_all_handlers_of_the_concurrency_may_block_at_once() -> None:
    barrier = threading.Barrier(40)

    async with wire_service() as service:
        toolkit = Toolkit(KEY, base_url=service.url, concurrency=40)
        # The barrier opens for 40 threads, and fails for fewer.
        toolkit.action(**FULL)(lambda ctx: barrier.wait(PATIENCE) * 0)
        async with running(toolkit):
            socket = await service.socket()
            await socket.accept()
            for number in range(40):
                await socket.invoke(f"inv_{number}", "do")
            results = [(await socket.next())["result"] for _ in range(40)]
    assert results == [0] * 40
