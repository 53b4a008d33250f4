"""Requests to the service, with key, deadline and retries.

Errors: SvcError. No message contains the key or a credential. A cancelled caller closes its request, which cancels the
    call.
Source: docs/protocol.md, section 3.
"""

import asyncio
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

from svc.errors import SvcError
from svc.protocol.answer_body import ACCEPT_ENCODING
from svc.protocol.ask import CallerAsk, write_ask
from svc.protocol.error_text import error_text
from svc.protocol.event_loop import require_asyncio
from svc.protocol.http import (
    ACTION_VERSION_HEADER,
    ASK_HEADER,
    CALLER_HEADER,
    CONNECTIONS_HEADER,
    IDEMPOTENCY_KEY_HEADER,
    MAX_PAYMENT_HEADER,
    MAX_RESULT_CHARS_HEADER,
    PREFER_HEADER,
    SEARCH_ID_HEADER,
    TIMEOUT_HEADER,
)
from svc.protocol.json_text import to_json
from svc.protocol.safe_numbers import require_safe_numbers
from svc.tools.api_key import ApiKey
from svc.tools.credential_header import CredentialHeader
from svc.tools.retry import with_retries
from svc.tools.sent_secrets import SentSecrets
from svc.tools.service_answer import AnswerTest, ExpectedAnswer, ProgressCallback, read_answer, unreachable

if TYPE_CHECKING:
    import httpx2

#: Extra seconds for the service's own INVOCATION_TIMEOUT, which has the invocation's id.
_GRACE = 1.0
_REFUSED_KEY_CODES = ("KEY_EXPIRED", "KEY_REVOKED", "INVALID_KEY")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRequest:
    """One request."""

    method: str
    #: Path and query, such as ``/v1/actions?toolkit=weather``.
    path: str
    is_answer: AnswerTest
    #: Seconds, retries included.
    timeout: float
    body: object = None
    #: The call takes a handle in place of a result: at once, or shortly before ``timeout`` if its action is ``long``.
    takes_handle: Literal["now", "later"] | None = None
    #: Seconds that a call may take after its caller got the handle at once. None: the longest time of the service.
    deadline: float | None = None
    #: The work may take the longest time of the service: a run of code.
    outlives_request: bool = False
    #: The most seconds until the answer to a request with ``takes_handle="later"``. None: nearly ``timeout``.
    wait: float | None = None
    idempotency_key: str | None = None
    max_result_chars: int | None = None
    #: The most that the call may cost.
    max_payment: str | None = None
    #: The only version of the action that may run.
    action_version: str | None = None
    #: A program of the model's provider made the call.
    made_by: Literal["program"] | None = None
    #: The caller's own rules.
    ask: CallerAsk | None = None
    #: Id of the search that led to this request.
    search_id: str | None = None
    #: Further headers of a search or a call, such as the user's id.
    caller_headers: Mapping[str, str | None] = field(default_factory=dict)
    #: The caller's account for the call.
    credential: CredentialHeader | None = None
    #: Called with the headers of a successful answer.
    on_headers: Callable[[Mapping[str, str]], None] | None = None
    on_progress: ProgressCallback | None = None


class HttpClient:
    """A client for the service at one address."""

    def __init__(self, base_url: str, api_key: ApiKey, client: "httpx2.AsyncClient | None") -> None:
        """
        Args:
            client: the caller's own client, which stays open
        """
        self._base_url = base_url
        self._api_key = api_key
        self._client = client
        #: Connections belong to the event loop that opened them.
        self._own: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx2.AsyncClient] = WeakKeyDictionary()

    async def request(self, request: ServiceRequest) -> Any:
        """The JSON of the answer."""
        require_asyncio()
        body = None if request.body is None else _write_body(request.body)
        return await with_retries(request.timeout, lambda remaining: self._try(request, body, remaining))

    async def aclose(self) -> None:
        """Closes the connections of the running event loop."""
        client = self._own.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()

    async def _try(self, request: ServiceRequest, body: bytes | None, remaining: float) -> object:
        try:
            async with asyncio.timeout(remaining + _GRACE) as deadline:
                return await self._with_key(request, body, remaining)
        except TimeoutError:
            if not deadline.expired():
                raise
            path = request.path.partition("?")[0]
            raise SvcError(
                "INVOCATION_TIMEOUT",
                f"No answer from {self._base_url} to {request.method} {path} in {request.timeout:g} s: "
                "it may still be at work",
            ) from None

    async def _with_key(self, request: ServiceRequest, body: bytes | None, remaining: float) -> object:
        """Repeats the request if the service refuses the key and another key exists.

        The idempotency key prevents a second run.
        """
        api_key = await self._api_key.current()
        try:
            return await self._exchange(request, body, remaining, api_key)
        except SvcError as error:
            other = await self._api_key.replacement(api_key) if error.code in _REFUSED_KEY_CODES else None
            if other is None:
                raise
        return await self._exchange(request, body, remaining, other)

    async def _exchange(self, request: ServiceRequest, body: bytes | None, remaining: float, api_key: str) -> object:
        import httpx2

        client, secrets = self._running_client(), SentSecrets(api_key, request.credential)
        try:
            sent = client.build_request(
                request.method,
                self._base_url + request.path,
                content=body,
                headers=self._headers_of(request, api_key, remaining),
                # The deadline is this client's own.
                timeout=httpx2.Timeout(None),
            )
            response = await client.send(sent, stream=True, follow_redirects=False)
        except (httpx2.RequestError, httpx2.InvalidURL) as error:
            raise unreachable(self._base_url, error_text(secrets.hide(str(error) or type(error).__name__))) from None
        expected = ExpectedAnswer(
            base_url=self._base_url, secrets=secrets, is_answer=request.is_answer, on_progress=request.on_progress
        )
        try:
            answer = await read_answer(response, expected)
        finally:
            await response.aclose()
        if request.on_headers is not None:
            request.on_headers(response.headers)
        return answer

    def _running_client(self) -> "httpx2.AsyncClient":
        if self._client is not None:
            return self._client
        loop = asyncio.get_running_loop()
        client = self._own.get(loop)
        if client is None:
            import httpx2

            # No limit of connections: `concurrency` and the service limit concurrency already.
            limits = httpx2.Limits(max_connections=None, max_keepalive_connections=20)
            client = self._own[loop] = httpx2.AsyncClient(limits=limits)
        return client

    def _headers_of(self, request: ServiceRequest, api_key: str, remaining: float) -> dict[str, str]:
        headers: dict[str, str | None] = {
            "authorization": f"Bearer {api_key}",
            "accept": "text/event-stream" if request.on_progress else "application/json",
            **ACCEPT_ENCODING,
            TIMEOUT_HEADER: _milliseconds(_deadline_of(request, remaining)),
            PREFER_HEADER: _preference(request.takes_handle, remaining, request.wait),
            IDEMPOTENCY_KEY_HEADER: request.idempotency_key,
            MAX_RESULT_CHARS_HEADER: None if request.max_result_chars is None else str(request.max_result_chars),
            MAX_PAYMENT_HEADER: request.max_payment,
            ACTION_VERSION_HEADER: request.action_version,
            ASK_HEADER: write_ask(request.ask) if request.ask else None,
            SEARCH_ID_HEADER: request.search_id,
            CALLER_HEADER: request.made_by,
            CONNECTIONS_HEADER: request.credential.text if request.credential else None,
            **request.caller_headers,
        }
        if request.body is not None:
            headers["content-type"] = "application/json"
        return {name: value for name, value in headers.items() if value is not None}


def _milliseconds(seconds: float | None) -> str | None:
    return None if seconds is None else str(max(1, math.ceil(seconds * 1000)))


def _deadline_of(request: ServiceRequest, remaining: float) -> float | None:
    if request.outlives_request:
        return None
    return request.deadline if request.takes_handle == "now" else remaining


def _preference(takes_handle: Literal["now", "later"] | None, remaining: float, wait: float | None) -> str | None:
    if takes_handle is None:
        return None
    if takes_handle == "now":
        return "respond-async"
    # The handle has to come before the client gives up.
    longest = max(0, math.ceil(remaining) - 1)
    return f"respond-async, wait={longest if wait is None else min(longest, int(wait))}"


def _write_body(body: object) -> bytes:
    try:
        text = to_json(body)
    except (TypeError, ValueError, RecursionError) as error:
        raise SvcError("INVALID_REQUEST", f"The value cannot be written as JSON: {error}") from None
    require_safe_numbers(text)
    return text.encode()
