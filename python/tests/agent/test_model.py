"""Requests to models by chat completions, their retries, and the errors of other libraries."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from svc.agent.abort_signal import AbortSignal
from svc.agent.model.ask_model import AskModel, CountedMessage, ModelRequest, TokenCount
from svc.agent.model.ask_patiently import PatientRequest, ask_patiently
from svc.agent.model.chat_completions import chat_completions_model
from svc.agent.model.foreign_error import to_model_request_error
from svc.agent.model.merge_delta import merge_delta
from svc.agent.model.model_request_error import ModelRequestError
from svc.client.base import Message
from tests.agent.agents import say
from tests.support.wire_server import Answer, Reply, WireServer, wire_server

HI: list[Message] = [{"role": "user", "content": "hi"}]
TOOL = {"type": "function", "function": {"name": "search_services"}}
KEY = "sk-secret-key"


@asynccontextmanager
async def model_server(
    monkeypatch: pytest.MonkeyPatch, *answers: Reply | Answer, timeout: float = 10
) -> AsyncIterator[tuple[WireServer, AskModel]]:
    async with wire_server(*answers) as server, httpx2.AsyncClient() as http_client:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield server, chat_completions_model(http_client, timeout=timeout)


def completion(message: Any, **members: Any) -> Reply:
    return Reply(body={"choices": [{"message": message}], **members})


def stream(*chunks: Any, end: str = "data: [DONE]\n\n") -> Reply:
    text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + end
    return Reply(raw=text.encode(), headers={"content-type": "text/event-stream; charset=utf-8"})


def delta(**members: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": members}]}


async def test_a_request_and_its_answer_with_unknown_members_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {"role": "assistant", "content": "Hi", "reasoning_details": [{"text": "…"}], "svc_images": ["no"]}
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    async with model_server(monkeypatch, completion(answer, usage=usage)) as (server, ask):
        answered = await ask(ModelRequest(model="openai/gpt", messages=HI, tools=[TOOL]))
    assert answered == CountedMessage(
        {
            "role": "assistant",
            "content": "Hi",
            "reasoning_details": [{"text": "…"}],
            "svc_model": "openai/gpt",
        },
        TokenCount(3, 2),
    )
    (request,) = server.received
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {"model": "gpt", "messages": HI, "tools": [TOOL]}


async def test_a_request_without_tools_has_no_tools_member_and_no_own_members(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: Message = {"role": "assistant", "content": "a", "signature": "s", "svc_model": "openai/other"}
    foreign: Message = {"role": "assistant", "content": "b", "signature": "s", "svc_model": "xai/grok"}
    async with model_server(monkeypatch, completion(say("ok"))) as (server, ask):
        await ask(ModelRequest(model="openai/gpt", messages=[kept, foreign], tools=()))
    assert server.received[0].body == {
        "model": "gpt",
        "messages": [
            {"role": "assistant", "content": "a", "signature": "s"},
            {"role": "assistant", "content": "b"},
        ],
    }


@pytest.mark.parametrize(
    ("reply", "status", "words"),
    [
        (
            Reply(401, {"error": {"message": f"Bad key {KEY}"}}),
            401,
            "answered 401: Bad key … (check the key in OPENAI_API_KEY)",
        ),
        (Reply(404, {"error": "no model"}), 404, 'answered 404: no model (check the model "gpt": get_model shows it'),
        (Reply(500, [{"error": {"message": "down"}}]), 500, "answered 500: down"),
        (Reply(503, raw=b"<html>\x1b[31m  bad\n gateway"), 503, "answered 503: <html> bad gateway"),
        (Reply(302, headers={"location": "http://127.0.0.1:1/"}), 502, "answered 302, which is not an answer of chat"),
        (Reply(200, raw=b"<html>"), 502, "answered something else than JSON"),
        (Reply(200, {"choices": []}), 502, "answered without a message"),
        (Reply(200, {"error": {"code": 429, "message": "slow"}}), 429, "answered 429: slow"),
        (Reply(200, {"error": {"code": "odd", "message": "bad"}}), 502, "answered 502: bad"),
        (Reply(200, {"choices": "none"}, broken=True), None, "No answer from 127.0.0.1:"),
    ],
)
async def test_a_refusal_is_an_error_with_advice(
    reply: Reply, status: int | None, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with model_server(monkeypatch, reply) as (_, ask):
        with pytest.raises(ModelRequestError) as refused:
            await ask(ModelRequest(model="openai/gpt", messages=HI, tools=()))
    assert words in str(refused.value)
    assert KEY not in repr(refused.value)
    assert refused.value.status == status
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after-ms": "250", "retry-after": "3"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "1.5"}, None),
        ({}, None),
    ],
)
async def test_the_wait_that_a_server_asks_for(
    headers: dict[str, str], seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with model_server(monkeypatch, Reply(429, {}, headers)) as (_, ask):
        with pytest.raises(ModelRequestError) as refused:
            await ask(ModelRequest(model="openai/gpt", messages=HI, tools=()))
    assert refused.value.retry_after == seconds
    assert refused.value.is_retryable


@pytest.mark.parametrize(
    ("status", "message", "too_long"),
    [
        (400, "This model's maximum context length is 8192 tokens", True),
        (413, "request_too_large: too many bytes", True),
        (400, "Unknown parameter", False),
        (500, "maximum context length", False),
    ],
)
async def test_a_conversation_that_is_too_long_is_recognized(
    status: int, message: str, too_long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with model_server(monkeypatch, Reply(status, {"error": {"message": message}})) as (_, ask):
        with pytest.raises(ModelRequestError) as refused:
            await ask(ModelRequest(model="openai/gpt", messages=HI, tools=()))
    assert refused.value.is_too_long == too_long


async def test_a_silent_server_is_a_timeout_that_may_be_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    async with model_server(monkeypatch, Reply(silent=True), timeout=0.05) as (_, ask):
        with pytest.raises(ModelRequestError, match=r"did not answer in 0\.05 seconds") as refused:
            await ask(ModelRequest(model="openai/gpt", messages=HI, tools=()))
    assert refused.value.is_retryable


async def test_an_unreachable_server_may_be_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    async with httpx2.AsyncClient() as http_client:
        with pytest.raises(ModelRequestError, match=r"No answer from 127\.0\.0\.1:9: ConnectError") as refused:
            await chat_completions_model(http_client)(ModelRequest(model="openai/gpt", messages=HI, tools=()))
    assert refused.value.is_retryable


async def test_text_in_pieces_with_its_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    chunks = (
        delta(role="assistant", content=""),
        delta(content="Hel"),
        delta(content="lo"),
        {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}},
    )
    async with model_server(monkeypatch, stream(*chunks)) as (server, ask):
        answered = await ask(ModelRequest(model="openai/gpt", messages=HI, tools=(), on_text=texts.append))
    assert texts == ["Hel", "Hello"]
    assert answered == CountedMessage({**say("Hello"), "svc_model": "openai/gpt"}, TokenCount(5, 2))
    assert server.received[0].body["stream_options"] == {"include_usage": True}


async def test_calls_in_pieces_that_share_an_index_are_separated_by_their_ids(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def piece(**members: Any) -> dict[str, Any]:
        return delta(tool_calls=[{"index": 0, **members}])

    chunks = (
        piece(id="a", type="function", function={"name": "one", "arguments": '{"x"'}, extra={"signature": "s"}),
        piece(function={"arguments": ":1}"}),
        piece(id="b", type="function", function={"name": "two", "arguments": "{}"}),
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    )
    async with model_server(monkeypatch, stream(*chunks, end="")) as (_, ask):
        answered = await ask(ModelRequest(model="openai/gpt", messages=HI, tools=(), on_text=lambda _: None))
    assert isinstance(answered, CountedMessage)
    assert answered.message["tool_calls"] == [
        {
            "id": "a",
            "type": "function",
            "function": {"name": "one", "arguments": '{"x":1}'},
            "extra": {"signature": "s"},
        },
        {"id": "b", "type": "function", "function": {"name": "two", "arguments": "{}"}},
    ]


def test_reasoning_details_are_joined_by_index() -> None:
    message: dict[str, Any] = {}
    for text in ("a", "b"):
        merge_delta(message, {"reasoning_details": [{"index": 0, "type": "text", "text": text, "signature": None}]})
    merge_delta(message, {"reasoning_details": [{"index": 0, "signature": "s"}], "content": None})
    assert message == {
        "reasoning_details": [{"index": 0, "type": "text", "text": "ab", "signature": "s"}],
        "content": None,
    }


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (stream(delta(content="Hel"), end=""), "broke off"),
        (stream({"error": {"code": 503, "message": "overloaded"}}), "answered 503: overloaded"),
        (stream(end="data: {\n\n"), "a piece that is not JSON"),
    ],
)
async def test_a_stream_that_fails_is_an_error(reply: Reply, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with model_server(monkeypatch, reply) as (_, ask):
        with pytest.raises(ModelRequestError, match=words) as refused:
            await ask(ModelRequest(model="openai/gpt", messages=HI, tools=(), on_text=lambda _: None))
    assert refused.value.is_retryable


async def test_a_server_without_streaming_answers_with_one_document(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    async with model_server(monkeypatch, completion(say("Hello"))) as (_, ask):
        await ask(ModelRequest(model="openai/gpt", messages=HI, tools=(), on_text=texts.append))
    assert texts == ["Hello"]


class Patience:
    """Asks a model function that returns these answers in order, without real waits."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: Any, fallback: str | None = None) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, int]] = []
        self.waits: list[float] = []
        self.errors: list[tuple[str, bool]] = []
        self.fallback = fallback

        async def pause(_signal: AbortSignal, seconds: float) -> None:
            self.waits.append(seconds)

        monkeypatch.setattr(AbortSignal, "pause", pause)

    async def ask(self) -> CountedMessage:
        async def model(request: ModelRequest) -> Any:
            self.asked.append((request.model, len(request.tools)))
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

        return await ask_patiently(
            PatientRequest(
                ask=model,
                request=ModelRequest(model="one", messages=HI, tools=[TOOL]),
                signal=AbortSignal(),
                fallback=self.fallback,
                on_error=lambda _error, model, will_retry: self.errors.append((model, will_retry)),
            )
        )


def failure(status: int | None = 503, retry_after: float | None = None) -> ModelRequestError:
    return ModelRequestError("failed", status=status, retry_after=retry_after)


async def test_two_retries_after_the_wait_that_the_server_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    patience = Patience(monkeypatch, failure(429, 3.0), failure(None), say("ok"))
    assert (await patience.ask()).message == say("ok")
    assert patience.waits[0] == 3.0
    assert 1.0 <= patience.waits[1] <= 2.0
    assert patience.errors == [("one", True), ("one", True)]


async def test_a_wait_of_more_than_20_seconds_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    patience = Patience(monkeypatch, failure(429, 21.0))
    with pytest.raises(ModelRequestError, match="failed"):
        await patience.ask()
    assert patience.waits == []
    assert patience.errors == [("one", False)]


async def test_the_fallback_has_two_retries_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    patience = Patience(monkeypatch, *[failure()] * 5, say("ok"), fallback="two")
    assert (await patience.ask()).message == say("ok")
    assert [model for model, _ in patience.asked] == ["one"] * 3 + ["two"] * 3
    assert patience.errors == [("one", True)] * 3 + [("two", True)] * 2


@pytest.mark.parametrize("error", [failure(401), ValueError("a mistake")])
async def test_a_permanent_error_is_not_retried(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    patience = Patience(monkeypatch, error, fallback="two")
    with pytest.raises(type(error)):
        await patience.ask()
    assert patience.errors == [("one", False)]


@pytest.mark.parametrize("content", ["", " \n", None, []])
async def test_an_empty_answer_is_requested_again_without_tools(content: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = CountedMessage({"role": "assistant", "content": content}, TokenCount(1, 2))
    patience = Patience(monkeypatch, empty, CountedMessage(say("ok"), TokenCount(10, 20)))
    assert (await patience.ask()) == CountedMessage(say("ok"), TokenCount(11, 22))
    assert patience.asked == [("one", 1), ("one", 0)]


async def test_two_empty_answers_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    patience = Patience(monkeypatch, say(""), say(""))
    with pytest.raises(ModelRequestError, match="neither text nor tool calls"):
        await patience.ask()
    assert patience.errors == [("one", True), ("one", False)]


@pytest.mark.parametrize(
    "answer", [None, "Hi", {}, {"role": "user", "content": "Hi"}, CountedMessage({}, TokenCount())]
)
async def test_an_answer_of_another_shape_is_refused_with_advice(answer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    patience = Patience(monkeypatch, answer)
    with pytest.raises(ModelRequestError, match="The model function must return a message"):
        await patience.ask()
    assert patience.waits == []


async def test_the_signal_ends_a_wait() -> None:
    async def model(request: ModelRequest) -> Message:
        raise failure(429, 20.0)

    def stop(_error: Exception, _model: str, _will_retry: bool) -> None:
        asyncio.get_running_loop().call_soon(signal.abort, KeyError("stopped"))

    signal = AbortSignal()
    asking = asyncio.create_task(
        ask_patiently(
            PatientRequest(
                ask=model,
                request=ModelRequest(model="one", messages=HI, tools=()),
                signal=signal,
                on_error=stop,
            )
        )
    )
    with pytest.raises(KeyError, match="stopped"):
        await asking


class APIStatusError(Exception):
    """The shape of the errors of the OpenAI and Anthropic SDKs."""

    def __init__(self, message: str, status_code: int, headers: dict[str, str]) -> None:
        super().__init__(message)
        self.status_code = status_code
        self.response = httpx2.Response(status_code, headers=headers)


class APIConnectionError(Exception):
    pass


class APITimeoutError(APIConnectionError):
    pass


class GoogleError(Exception):
    code = 400
    status = "INVALID_ARGUMENT"


def test_errors_of_other_libraries_are_read() -> None:
    limited = to_model_request_error(APIStatusError("slow down", 429, {"retry-after": "4"}))
    assert limited
    assert (limited.status, limited.retry_after, limited.is_retryable) == (429, 4.0, True)
    refused = to_model_request_error(APIStatusError("bad key", 401, {}))
    assert refused
    assert str(refused) == "bad key (check the key that the model function uses)"
    google = to_model_request_error(GoogleError("The input token count (9) exceeds the maximum"))
    assert google
    assert (google.status, google.is_too_long) == (400, True)
    for error in (APITimeoutError("late"), TimeoutError(), ConnectionResetError(), httpx2.ConnectError("refused")):
        lost = to_model_request_error(error)
        assert lost
        assert lost.is_retryable
        assert lost.__cause__ is None
    assert to_model_request_error(ValueError("a mistake")) is None
    assert to_model_request_error(KeyError("content")) is None
