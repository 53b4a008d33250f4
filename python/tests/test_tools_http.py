"""Options, keys, invalid answers, retries and deadlines of ``Tools``."""

import asyncio
import threading
import time
from typing import Any

import httpx2
import pytest

from svc import SvcError, Tools
from svc.tools.retry import retry_delay, with_retries
from tests.support.wire_server import Received, Reply, wire_server

KEY = "svc_agent_secret"
DONE = Reply(body={"invocationId": "inv_1", "result": "done"})


def problem(code: str, status: int, **details: Any) -> Reply:
    return Reply(status, {"code": code, "detail": f"It is {code}", **details})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base_url": "tools.example.com"}, "is not an http\\(s\\) URL; write one such as http://127.0.0.1:8787"),
        ({"base_url": "ftp://example.com"}, "is not an http\\(s\\) URL"),
        ({"base_url": "http://"}, "is not an http\\(s\\) URL"),
        ({"base_url": "http://host:port"}, "is not an http\\(s\\) URL"),
        ({"base_url": "http://ho st"}, "is not an http\\(s\\) URL"),
        ({"base_url": 7}, "is not an http\\(s\\) URL"),
        ({"base_url": "http://me:pass@example.com"}, "example.com may have no user, password, query or fragment"),
        ({"base_url": "http://example.com?key=1"}, "may have no user, password, query"),
        ({"timeout": 0}, "timeout must be a number of seconds above 0"),
        ({"timeout": float("nan")}, "timeout must be a number of seconds above 0"),
        ({"timeout": "60"}, "timeout must be a number of seconds above 0 and at most 86400, not '60'"),
        ({"timeout": 86401}, "at most 86400"),
        ({"concurrency": 0}, "concurrency must be a whole number from 1 to 1000, not 0"),
        ({"concurrency": 1.5}, "concurrency must be a whole number"),
        ({"concurrency": True}, "concurrency must be a whole number"),
        ({"max_result_chars": -1}, "max_result_chars must be a whole number of 1 or more"),
        ({"max_search_tokens": "many"}, "max_search_tokens must be a whole number"),
        ({"max_payment": 0.05}, 'max_payment must be a decimal text .* such as "0.05", not float'),
        ({"user_id": "two words"}, "user_id must be 1 to 200 visible ASCII characters without spaces"),
        ({"user_id": ""}, "user_id must be 1 to 200"),
        ({"session_id": "x" * 201}, "session_id must be 1 to 200"),
        ({"session_id": "é"}, "session_id must be 1 to 200"),
        ({"session_id": 7}, "session_id must be 1 to 200"),
    ],
)
def test_an_invalid_option_is_refused_with_what_to_write(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SvcError, match=message) as refused:
        Tools(**options)
    assert refused.value.code == "INVALID_REQUEST"


@pytest.mark.parametrize(
    ("key", "code", "message"),
    [
        (None, "INVALID_KEY", "No agent key. Set SVC_AGENT_API_KEY or pass api_key=…"),
        ("", "INVALID_KEY", "No agent key"),
        ("svc_toolkit_x", "WRONG_KEY_KIND", "This is a key for a toolkit; Tools needs an agent key"),
        ("svc_admin_x", "WRONG_KEY_KIND", "This is a key for an administrator"),
        ("sk-proj-secret", "INVALID_KEY", "This is not an agent key"),
        ("svc_agent_sec\nret", "INVALID_KEY", "This is not an agent key"),
        (lambda: 7, "INVALID_KEY", "The api_key function must return a text, not int"),
        (lambda: 1 / 0, "INVALID_KEY", "The api_key function failed: division by zero"),
    ],
)
async def test_an_invalid_key_is_never_sent(key: Any, code: str, message: str) -> None:
    async with wire_server(DONE) as server, Tools(key, base_url=server.url) as tools:
        with pytest.raises(SvcError, match=message) as refused:
            await tools.invoke("a__b")
        assert server.received == []
    assert refused.value.code == code
    assert "secret" not in str(refused.value)


def test_a_key_of_a_wrong_type_is_refused_at_once() -> None:
    with pytest.raises(SvcError, match="api_key is a text or a function, not int"):
        Tools(7)  # type: ignore[arg-type]


async def test_address_and_key_come_from_the_environment_when_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with wire_server(DONE) as server:
        monkeypatch.setenv("SVC_BASE_URL", f"{server.url}/svc/")
        async with Tools() as tools:
            monkeypatch.setenv("SVC_AGENT_API_KEY", f" {KEY}\n")
            await tools.invoke("a__b")
    assert server.received[0].path == "/svc/v1/invoke"
    assert server.received[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_function_returns_a_new_key_for_a_refused_key_once_for_all_callers() -> None:
    asked: list[str] = []

    async def give() -> str:
        await asyncio.sleep(0)
        asked.append(f"svc_token_{len(asked)}")
        return asked[-1]

    def answer(request: Received) -> Reply:
        is_old = request.headers["authorization"] == "Bearer svc_token_0"
        return problem("KEY_EXPIRED", 401) if is_old else DONE

    async with wire_server(answer) as server, Tools(give, base_url=server.url) as tools:
        results = await asyncio.gather(*(tools.invoke("a__b") for _ in range(5)))
        assert [result["result"] for result in results] == ["done"] * 5
        first, second = server.received[0], server.received[-1]
    assert asked == ["svc_token_0", "svc_token_1"]
    assert {request.headers["idempotency-key"] for request in (first, second)} <= {
        request.headers["idempotency-key"] for request in server.received
    }
    keys = [request.headers["idempotency-key"] for request in server.received]
    assert len(keys) == 10
    assert len(set(keys)) == 5


async def test_a_cancelled_caller_does_not_cancel_the_key_function_of_the_others() -> None:
    answered = asyncio.Event()

    async def give() -> str:
        await answered.wait()
        return KEY

    async with wire_server(DONE) as server, Tools(give, base_url=server.url) as tools:
        first, second = (asyncio.create_task(tools.invoke("a__b")) for _ in range(2))
        await asyncio.sleep(0.01)
        first.cancel()
        answered.set()
        assert (await second)["result"] == "done"


async def test_a_refused_fixed_key_is_not_sent_again() -> None:
    async with wire_server(problem("KEY_REVOKED", 401)) as server, Tools(KEY, base_url=server.url) as tools:
        with pytest.raises(SvcError, match="KEY_REVOKED"):
            await tools.search("x")
        assert len(server.received) == 1


async def test_retries_a_retryable_refusal_under_the_same_key() -> None:
    busy = problem("QUEUE_FULL", 503, retryable=True, retryAfterMs=1)
    async with wire_server(busy, busy, DONE) as server, Tools(KEY, base_url=server.url) as tools:
        assert (await tools.invoke("a__b"))["result"] == "done"
    assert len({request.headers["idempotency-key"] for request in server.received}) == 1
    assert len(server.received) == 3
    timeouts = [int(request.headers["svc-timeout-ms"]) for request in server.received]
    assert timeouts == sorted(timeouts, reverse=True)
    assert timeouts[2] < 60_000


async def test_three_tries_are_enough() -> None:
    async with wire_server(problem("RATE_LIMITED", 429, retryable=True, retryAfterMs=1)) as server:
        async with Tools(KEY, base_url=server.url) as tools:
            with pytest.raises(SvcError, match="RATE_LIMITED"):
                await tools.search("x")
        assert len(server.received) == 3


@pytest.mark.parametrize(
    "refusal",
    [
        problem("ACTION_FAILED", 502, retryable=False, retryAfterMs=1),
        problem("TOOLKIT_OFFLINE", 503, retryable=True),
        problem("RATE_LIMITED", 429, retryable=True, retryAfterMs=60_000),
        problem("INVOCATION_TIMEOUT", 504),
    ],
)
async def test_other_refusals_are_not_retried(refusal: Reply) -> None:
    async with wire_server(refusal) as server, Tools(KEY, base_url=server.url, timeout=5) as tools:
        with pytest.raises(SvcError, match="It is"):
            await tools.invoke("a__b")
        assert len(server.received) == 1


def test_the_wait_grows_and_is_at_least_the_wait_of_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.random", lambda: 0.5)
    unreachable = SvcError("SERVICE_UNREACHABLE", "gone")
    asked = SvcError("RATE_LIMITED", "wait", {"retryAfterMs": 2_000})
    assert [retry_delay(unreachable, tries) for tries in (1, 2, 3)] == [0.125, 0.25, None]
    assert [retry_delay(asked, tries) for tries in (1, 2, 3)] == [2.125, 2.25, None]


async def test_a_process_that_wakes_up_after_the_time_limit_does_not_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.random", lambda: 0.0)
    tries = 0

    async def attempt(remaining: float) -> None:
        nonlocal tries
        tries += 1
        # The callback runs before the end of the wait.
        asyncio.get_running_loop().call_soon(time.sleep, 0.06)
        raise SvcError("SERVICE_UNREACHABLE", "gone")

    with pytest.raises(SvcError, match="gone"):
        await with_retries(0.05, attempt)
    assert tries == 1


async def test_an_unreachable_service_is_retried_and_named() -> None:
    async with wire_server(DONE) as server:
        url = server.url
    async with Tools(KEY, base_url=url) as tools:
        with pytest.raises(SvcError, match=f"No answer from {url}: .*npx svc-service serve") as failed:
            await tools.search("x")
    assert (failed.value.code, failed.value.retryable) == ("SERVICE_UNREACHABLE", True)


@pytest.mark.parametrize(
    ("reply", "message", "retryable"),
    [
        (Reply(200, raw=b"<html>", headers={"content-type": "text/html"}), "answered 200 .text/html., which is", False),
        (Reply(200, {"hello": "world"}), "answered 200", False),
        (Reply(404, {"error": "not found"}), "answered 404", False),
        (Reply(502, raw=b"bad gateway", headers={"content-type": "text/plain"}), "answered 502", True),
        (Reply(301, headers={"location": "http://127.0.0.1:9/"}), "redirects. The key is not sent", False),
        (Reply(200, raw=b"{", headers={"content-type": "application/json"}), "answered 200", False),
        (Reply(200, {"actions": []}, broken=True), "the connection broke within the answer", True),
        (
            Reply(200, raw=b"this is not gzip", headers={"content-encoding": "gzip"}),
            "the connection broke within the answer",
            True,
        ),
    ],
)
async def test_the_error_for_a_foreign_answer_describes_the_answer(reply: Reply, message: str, retryable: bool) -> None:
    async with wire_server(reply) as server, Tools(KEY, base_url=server.url, timeout=5) as tools:
        with pytest.raises(SvcError, match=message) as failed:
            await tools.search("x")
        assert {request.headers["authorization"] for request in server.received} == {f"Bearer {KEY}"}
    assert (failed.value.code, failed.value.retryable) == ("SERVICE_UNREACHABLE", retryable)
    assert KEY not in str(failed.value)


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ("event: progress\ndata: {}\n\n", "the stream ended before the result"),
        ('event: error\ndata: {"code":"ACTION_FAILED","detail":"It failed"}\n\n', "It failed"),
        ("event: result\ndata: 7\n\n", "sent something that is not a result"),
        ('event: result\ndata: {"invocationId":"inv_1"}\n', "the stream ended before the result"),
    ],
)
async def test_a_stream_without_a_result_is_an_error(events: str, message: str) -> None:
    reply = Reply(raw=events.encode(), headers={"content-type": "text/event-stream"})
    async with wire_server(reply) as server, Tools(KEY, base_url=server.url, timeout=5) as tools:
        with pytest.raises(SvcError, match=message):
            await tools.invoke("a__b", on_progress=lambda progress: None)


async def test_an_unknown_code_of_a_newer_service_is_kept() -> None:
    newer = {"type": "urn:svc-sdk:error:NEW_CODE", "code": "NEW_CODE", "detail": "New", "retryable": True}
    async with wire_server(Reply(418, newer)) as server, Tools(KEY, base_url=server.url) as tools:
        with pytest.raises(SvcError, match="New") as failed:
            await tools.search("x")
    assert (failed.value.code, failed.value.retryable) == ("NEW_CODE", True)


async def test_a_silent_service_is_a_timeout() -> None:
    async with wire_server(Reply(silent=True)) as server, Tools(KEY, base_url=server.url) as tools:
        with pytest.raises(SvcError, match=r"No answer from .* to POST /v1/invoke in 0.1 s") as failed:
            await tools.invoke("a__b", timeout=0.1)
        assert 0 < int(server.received[0].headers["svc-timeout-ms"]) <= 100
    assert failed.value.code == "INVOCATION_TIMEOUT"


async def test_a_payload_that_json_cannot_hold_is_refused_before_anything_is_sent() -> None:
    circle: list[Any] = []
    circle.append(circle)
    async with wire_server(DONE) as server, Tools(KEY, base_url=server.url) as tools:
        for payload in (circle, {1, 2}, float("nan")):
            with pytest.raises(SvcError, match="The value cannot be written as JSON"):
                await tools.invoke("a__b", payload)
        await tools.invoke("a__b", {"half": "\ud800", "é": 1})
    assert [request.body for request in server.received] == [{"action": "a__b", "payload": {"half": "\ud800", "é": 1}}]


def test_one_client_serves_several_event_loops() -> None:
    async def main() -> None:
        async with wire_server(DONE) as server:
            tools = Tools(KEY, base_url=server.url)
            await tools.invoke("a__b")

            def other_loop() -> None:
                async def call() -> None:
                    await tools.invoke("a__b")
                    await tools.aclose()

                asyncio.run(call())

            thread = threading.Thread(target=other_loop)
            thread.start()
            await asyncio.to_thread(thread.join)
            await tools.invoke("a__b")
            await tools.aclose()
            assert len(server.received) == 3

    asyncio.run(main())


async def test_the_callers_own_http_client_is_used_and_stays_open() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"actions": []})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        async with Tools(KEY, http_client=client) as tools:
            assert await tools.search("x") == {"actions": []}
        assert not client.is_closed


ACTION = {"toolkit": "a", "online": True, "description": "Does", "payloadSchema": {"type": "object"}}


async def test_static_tools_are_read_page_by_page_and_sorted() -> None:
    def answer(request: Received) -> Reply:
        if "cursor" in request.path:
            return Reply(body={"actions": [{**ACTION, "action": "a__a"}]})
        if "ids=" in request.path:
            return Reply(body={"actions": [{**ACTION, "action": "b__c", "annotations": {"readOnly": True}}]})
        price = {"amount": "0.05", "currency": "USD"}
        paid = {**ACTION, "action": "a__z", "payment": price}
        return Reply(body={"actions": [paid], "nextCursor": "a/b c"})

    async with wire_server(answer) as server, Tools(KEY, base_url=server.url) as tools:
        chosen = {"static_toolkits": ["a", "a"], "static_actions": ["b__c"]}
        definitions = await tools.load_definitions(dynamic_tools=False, **chosen)
        names = [tool["function"]["name"] for tool in await tools.get_tools(**chosen)]  # type: ignore[arg-type]
        assert {request.path for request in server.received} == {
            "/v1/actions?toolkit=a",
            "/v1/actions?toolkit=a&cursor=a%2Fb+c",
            "/v1/actions?ids=b__c",
        }
    assert names == ["search_services", "invoke_service", "a__a", "a__z", "b__c"]
    assert [definition["name"] for definition in definitions] == names[2:]
    assert definitions[1]["description"] == "Does. Costs up to 0.05 USD a call."
    assert definitions[2]["annotations"] == {"readOnly": True}


@pytest.mark.parametrize(
    ("chosen", "code", "message"),
    [
        ({"dynamic_tools": False}, "INVALID_REQUEST", "dynamic_tools=False leaves no tools"),
        ({"static_toolkits": "weather"}, "INVALID_REQUEST", "are lists of ids"),
        ({"static_toolkits": ["We ather"]}, "TOOLKIT_NOT_FOUND", '"We ather" is not a toolkit id'),
        ({"static_actions": ["weather"]}, "ACTION_NOT_FOUND", '"weather" is not an action id'),
        ({"static_actions": ["a__b"]}, "ACTION_NOT_FOUND", "No toolkit offers a__b"),
        ({"static_toolkits": ["a"]}, "ACTION_NOT_FOUND", 'Toolkit "a" has no action that this key may use'),
        ({"static_toolkits": ["*"]}, "ACTION_NOT_FOUND", "No toolkit has an action that this key may use"),
    ],
)
async def test_a_missing_static_tool_is_an_error(chosen: dict[str, Any], code: str, message: str) -> None:
    async with wire_server(Reply(body={"actions": []})) as server, Tools(KEY, base_url=server.url) as tools:
        with pytest.raises(SvcError, match=message.replace("*", r"\*")) as failed:
            await tools.get_tools(**chosen)
    assert failed.value.code == code


async def test_pages_that_never_end_are_an_error() -> None:
    page = Reply(body={"actions": [{**ACTION, "action": "a__a"}], "nextCursor": "again"})
    async with wire_server(page) as server, Tools(KEY, base_url=server.url) as tools:
        with pytest.raises(SvcError, match="the cursor again twice"):
            await tools.get_tools(static_toolkits=["a"])
