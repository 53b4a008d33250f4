"""Signed requests to the API of X, version 2, each retried until it is answered.

Units: seconds. A 429 waits for the time in ``x-rate-limit-reset`` (seconds since 1970), as X sends no ``Retry-After``.
Errors: XRefusedError for an answer that no retry would change. No message holds a credential.
Source: docs.x.com, "Rate limits" and "Response codes & errors".
"""

import json
import math
import re
import time
from asyncio import sleep
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from svc.client.exchange import HttpAnswer, NoAnswer, exchange
from svc.client.images import Image
from svc.client.retry_wait import retry_wait
from svc.client.x.oauth import XCredentials, authorization_header, encode

if TYPE_CHECKING:
    import httpx2

_REQUEST_TIME = 30.0
#: The wait after a rate limit without a time.
_RATE_LIMIT_WAIT = 60.0
#: One window of X's rate limits, and a minute more.
_LONGEST_RATE_LIMIT_WAIT = 16 * 60.0
_MAX_CLOCK_ERROR = 60.0
_DEFAULT_PORTS = {"http": 80, "https": 443}

_ADVICE = {
    401: '. Copy api_key, api_secret, access_token and access_secret again from the developer portal of X, "Keys and '
    'tokens", all four from one app',
    402: ". Add API credits to the account in the developer portal of X",
    403: ". Check in the developer portal of X that the app may read and write, and make the access token again after "
    "a change",
}


@dataclass(frozen=True, slots=True)
class XAnswer:
    """A JSON object, and the time at X in seconds since 1970."""

    body: dict[str, Any]
    at: float


class XRefusedError(Exception):
    """X refused a request, and would refuse every retry."""

    def __init__(self, message: str, *, is_duplicate: bool) -> None:
        super().__init__(message)
        self.is_duplicate = is_duplicate


@dataclass(frozen=True, slots=True)
class _Failure:
    """Another try may succeed."""

    reason: str
    #: None if X named no wait.
    wait: float | None = None


class XApi:
    """The API for one account."""

    def __init__(self, http: "httpx2.AsyncClient", credentials: XCredentials, base_url: str) -> None:
        self._http = http
        self._credentials = credentials
        self._base_url = normal_address(base_url)

    async def get(self, path: str, query: Mapping[str, str] | None = None) -> XAnswer:
        """Retries without end."""
        return await self._send("GET", path, query=query or {})

    async def post(self, path: str, body: Mapping[str, object], *, tries: int) -> XAnswer:
        # Letters are escaped: half a surrogate pair, which a model may write, cannot be encoded.
        content = {"content": json.dumps(body), "headers": {"content-type": "application/json"}}
        return await self._send("POST", path, content=content, tries=tries)

    async def post_image(self, path: str, fields: Mapping[str, str], image: Image, *, tries: int) -> XAnswer:
        content = {"data": dict(fields), "files": {"media": ("image", image.data, image.media_type)}}
        return await self._send("POST", path, content=content, tries=tries)

    async def _send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        content: Mapping[str, Any] | None = None,
        tries: float = math.inf,
    ) -> XAnswer:
        tried = 0
        while True:
            outcome = await self._send_once(method, path, query or {}, content or {})
            if isinstance(outcome, XAnswer):
                return outcome
            tried += 1
            if tried >= tries:
                raise ConnectionError(
                    f"X did not take {method} {path} in {tries} tries. The last time: {outcome.reason}"
                )
            await sleep(retry_wait(tried) if outcome.wait is None else outcome.wait)

    async def _send_once(
        self, method: str, path: str, query: Mapping[str, str], content: Mapping[str, Any]
    ) -> XAnswer | _Failure:
        address = f"{self._base_url}{path}"
        text = "&".join(f"{encode(name)}={encode(value)}" for name, value in query.items())
        request = self._http.build_request(method, f"{address}?{text}" if text else address, **content)
        request.headers["authorization"] = authorization_header(self._credentials, method, address, query)
        answer = await exchange(self._http, request, timeout=_REQUEST_TIME)
        if isinstance(answer, NoAnswer):
            return _Failure(answer.reason)
        at = _time_of(answer)
        if answer.status == 429:
            return _Failure("rate limit (429)", rate_limit_wait(answer.headers.get("x-rate-limit-reset"), at))
        if answer.status == 408 or answer.status >= 500:
            return _Failure(f"status {answer.status}")
        body = _parse(answer.body)
        if not answer.is_success:
            raise self._refusal(f"{method} {path}", answer, body or {}, at)
        return _Failure("an answer that is not a JSON object") if body is None else XAnswer(body, at)

    def _refusal(self, request: str, answer: HttpAnswer, body: Mapping[str, object], at: float) -> XRefusedError:
        message = f"X refused {request}: {answer.status}{_detail_of(body)}{_advice_for(answer.status, at)}"
        is_duplicate = answer.status == 403 and b"duplicate" in answer.body.lower()
        # X repeats no credentials, but a proxy in between might.
        return XRefusedError(self._credentials.removed_from(message), is_duplicate=is_duplicate)


def normal_address(base_url: str) -> str:
    """The address in its signed form: lower case, without the scheme's default port."""
    parts = urlsplit(base_url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = "" if parts.port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}{parts.path.rstrip('/')}"


def rate_limit_wait(reset: str | None, at: float) -> float:
    """A wait by the time at X: with a wrong local clock the wait would be too long or too short."""
    try:
        wait = float(reset or "") - at
    except ValueError:
        return _RATE_LIMIT_WAIT
    return min(max(wait, 1.0), _LONGEST_RATE_LIMIT_WAIT) if math.isfinite(wait) else _RATE_LIMIT_WAIT


def _time_of(answer: HttpAnswer) -> float:
    try:
        return parsedate_to_datetime(answer.headers.get("date", "")).timestamp()
    except ValueError:
        return time.time()


def _parse(body: bytes) -> dict[str, object] | None:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _detail_of(body: Mapping[str, object]) -> str:
    """X's own words: a ``detail`` of RFC 7807, or the first of ``errors``."""
    errors = body.get("errors")
    first = errors[0] if isinstance(errors, list) and errors and isinstance(errors[0], dict) else {}
    for text in (first.get("message"), body.get("detail"), body.get("title")):
        if isinstance(text, str) and text:
            return " " + re.sub(r"\.\Z", "", text[:300])
    return ""


def _advice_for(status: int, at: float) -> str:
    clock_error = abs(time.time() - at)
    if status == 401 and clock_error > _MAX_CLOCK_ERROR:
        return (
            f". The clock of this machine is off by {round(clock_error)} s, and X accepts signatures of a few minutes: "
            "set the clock"
        )
    return _ADVICE.get(status, "")
