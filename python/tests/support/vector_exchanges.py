"""Requests of an agent's client and the service's answers, from test/vectors, and a server that returns the answers."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.support.match import Bindings, assert_absent, assert_match, fill_in_all
from tests.support.wire_server import Received, Reply, wire_server

Exchange = dict[str, Any]

KEY = "svc_agent_vectors"
#: The tolerance below a ``svc-timeout-ms``: the time until the request is sent.
_TIMEOUT_TOLERANCE_MS = 1_000


class VectorService:
    """Answers with each exchange once, to the first matching request, in any order."""

    def __init__(self, exchanges: Sequence[Exchange], bindings: Bindings) -> None:
        self._exchanges = exchanges
        self._bindings = bindings
        self._given = [asyncio.Event() for _ in exchanges]
        #: The number of an exchange -> the request that received its answer.
        self._taken: dict[int, Received] = {}
        self.url = ""
        self.received: list[Received] = []

    async def answer(self, received: Received) -> Reply:
        self.received.append(received)
        numbers = (number for number in range(len(self._exchanges)) if number not in self._taken)
        number = next((each for each in numbers if _is_like(received, self._exchanges[each]["request"])), None)
        if number is None:
            return Reply(400)
        self._taken[number] = received
        exchange = self._exchanges[number]
        for other in exchange.get("after", ()):
            await self._given[other - 1].wait()
        self._given[number].set()
        return reply_of(exchange["response"], self._bindings)

    def assert_each_came_once(self, method: str, *, has_listener: bool = False) -> None:
        """Each request with its headers, and no other request.

        Args:
            method: of the client, in the names of the TypeScript client
            has_listener: the client was called with a listener for progress
        """
        missing = [each["request"] for number, each in enumerate(self._exchanges) if number not in self._taken]
        assert missing == []
        assert len(self.received) == len(self._exchanges), self.received
        for number, received in self._taken.items():
            assert_request(received, self._exchanges[number], self._bindings, method, has_listener=has_listener)


@asynccontextmanager
async def vector_service(exchanges: Sequence[Exchange], bindings: Bindings) -> AsyncIterator[VectorService]:
    service = VectorService(exchanges, bindings)
    async with wire_server(service.answer) as server:
        service.url = server.url
        yield service


def reply_of(response: dict[str, Any], bindings: Bindings) -> Reply:
    """An answer of the vectors."""
    filled = fill_in_all(response, bindings)
    headers = {name: value for name, value in filled.get("headers", {}).items() if value is not None}
    raw: str | None = filled.get("text")
    if events := filled.get("events"):
        headers["content-type"] = "text/event-stream"
        raw = "".join(f"event: {each['event']}\ndata: {json.dumps(each['data'])}\n\n" for each in events)
    return Reply(filled["status"], filled.get("body"), headers, None if raw is None else raw.encode())


def assert_request(
    received: Received, exchange: Exchange, bindings: Bindings, method: str, *, has_listener: bool = False
) -> None:
    """The request with exactly its query, its ``svc-`` headers and no absent member."""
    request = exchange["request"]
    assert_match(_parts_of(received), {name: request[name] for name in request if name != "headers"}, bindings)
    assert _parts_of(received)["query"] == request.get("query", {})
    assert_absent(received.body, exchange.get("absent", ()))
    headers = {**_headers_of(request, method), **request.get("headers", {})}
    if has_listener:
        headers["accept"] = "text/event-stream"
    _assert_headers(received, headers, bindings)


def _headers_of(request: dict[str, Any], method: str) -> dict[str, str | None]:
    """The headers of every client; test/vectors/README.md has the list."""
    headers: dict[str, str | None] = {"svc-timeout-ms": "60000"}
    if request["method"] == "POST":
        headers["content-type"] = "application/json"
    if request["path"] == "/v1/invoke":
        headers["idempotency-key"] = "$string"
        if method == "callTools":
            headers |= {"svc-max-result-chars": "40000", "prefer": "respond-async, wait=59"}
    return headers


def _assert_headers(received: Received, expected: Mapping[str, str | None], bindings: Bindings) -> None:
    for name, value in {**expected, "authorization": f"Bearer {KEY}"}.items():
        sent = received.headers.get(name)
        if name == "svc-timeout-ms" and value is not None:
            assert 0 <= int(value) - int(sent or 0) < _TIMEOUT_TOLERANCE_MS, f"{name}: {sent}"
        else:
            assert_match(sent, value, bindings, name)
    surplus = [name for name in received.headers if name.startswith("svc-") and name not in expected]
    assert surplus == []


def _parts_of(received: Received) -> dict[str, Any]:
    url = urlsplit(received.path)
    query = dict(parse_qsl(url.query, keep_blank_values=True, strict_parsing=bool(url.query)))
    return {"method": received.method, "path": url.path, "query": query, "body": received.body}


def _is_like(received: Received, request: dict[str, Any]) -> bool:
    wanted = {name: request[name] for name in ("method", "path", "body") if name in request}
    try:
        assert_match(_parts_of(received), wanted, {})
    except AssertionError:
        return False
    return bool(_parts_of(received)["query"] == request.get("query", {}))
