"""One HTTP request and its answer, with a timeout.

Units: seconds, bytes.
Errors: none; a ``NoAnswer`` has the reason. Errors of the HTTP library hold the request, and with it a token.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from svc.protocol.answer_body import (
    ACCEPT_ENCODING,
    MAX_ANSWER_BYTES,
    AnswerTooLargeError,
    UnknownEncodingError,
    read_body,
)

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An answer with any status."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A request that was not answered."""

    #: A description without the address.
    reason: str
    #: A retry would fail in the same way.
    is_final: bool = False


async def exchange(
    http: "httpx2.AsyncClient", request: "httpx2.Request", *, timeout: float, max_bytes: int = MAX_ANSWER_BYTES
) -> HttpAnswer | NoAnswer:
    """Sends a request. Redirects are not followed: credentials belong to one address.

    Args:
        timeout: for the whole exchange; a half-open connection never answers
        max_bytes: a longer body is not read further and counts as a failure
    """
    import httpx2

    try:
        async with asyncio.timeout(timeout) as deadline:
            response = await http.send(request, stream=True, follow_redirects=False)
            try:
                return HttpAnswer(response.status_code, response.headers, await read_body(response, max_bytes))
            finally:
                await response.aclose()
    except TimeoutError:
        if not deadline.expired():
            raise
        return NoAnswer(f"no answer in {timeout:g} s")
    except httpx2.ConnectError:
        return NoAnswer("it cannot be reached")
    except httpx2.RequestError:
        return NoAnswer("the connection was cut")
    except (AnswerTooLargeError, UnknownEncodingError) as error:
        return NoAnswer(str(error), is_final=True)


def open_http(headers: Mapping[str, str] | None = None) -> "httpx2.AsyncClient":
    """An HTTP client without timeouts and limits: ``exchange`` has the timeout, and the platforms limit the rate."""
    import httpx2

    headers = {**(headers or {}), **ACCEPT_ENCODING}
    return httpx2.AsyncClient(headers=headers, timeout=None, limits=httpx2.Limits(max_connections=None))
