"""Reads one HTTP answer.

Shape: the JSON of a success, checked to be of the expected kind; progress is reported while the call runs.
Errors: the service's own problem; SERVICE_UNREACHABLE for an answer of something else: a proxy's page, a redirect,
    another program on that port, a stream that breaks. ``retryable`` if the same request may succeed later.
"""

import re
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from svc.errors import SvcError
from svc.protocol.http import Progress
from svc.protocol.json_text import from_json
from svc.tools.callbacks import call_back
from svc.tools.sse import read_events

if TYPE_CHECKING:
    import httpx2

ProgressCallback = Callable[[Progress], Awaitable[None] | None]
AnswerTest = Callable[[Any], bool]

_JSON_TYPE = re.compile(r"\bjson\b")
_RETRYABLE_STATUSES = (502, 503, 504)


async def read_answer(
    response: "httpx2.Response", base_url: str, is_answer: AnswerTest, on_progress: ProgressCallback | None
) -> Any:
    """The JSON of a success.

    Args:
        response: with a body that is not read yet
        is_answer: separates the service's answers from another program's JSON
    """
    content_type = response.headers.get("content-type", "")
    if response.status_code == 200 and content_type.startswith("text/event-stream"):
        return await _read_stream(response, base_url, is_answer, on_progress)
    # The page of a proxy is not read.
    answer = _parse(await _read_body(response, base_url)) if _JSON_TYPE.search(content_type) else None
    if response.status_code == 200 and is_answer(answer):
        return answer
    problem = SvcError.from_problem(answer) if response.status_code >= 400 else None
    raise problem or _foreign_answer(response, base_url)


def unreachable(base_url: str, reason: str) -> SvcError:
    """The error for a service that does not answer."""
    return SvcError(
        "SERVICE_UNREACHABLE",
        f"No answer from {base_url}: {reason}. "
        "Start a service with `npx svc-sdk serve`, or point base_url or SVC_BASE_URL to a running one.",
    )


async def _read_stream(
    response: "httpx2.Response", base_url: str, is_answer: AnswerTest, on_progress: ProgressCallback | None
) -> Any:
    import httpx2

    async with aclosing(read_events(response.aiter_bytes())) as events:  # type: ignore[type-var]
        while True:
            try:
                event = await anext(events, None)
            except httpx2.RequestError:
                raise unreachable(base_url, "the connection broke before the result") from None
            if event is None:
                raise unreachable(base_url, "the stream ended before the result")
            data = _parse(event.data)
            if event.event == "progress" and _is_progress(data):
                await call_back(on_progress, data)
            elif event.event == "result" and is_answer(data):
                return data
            elif event.event in ("result", "error"):
                raise SvcError.from_problem(data) or SvcError(
                    "SERVICE_UNREACHABLE", f"{base_url} sent something that is not a result", {"retryable": False}
                )


async def _read_body(response: "httpx2.Response", base_url: str) -> bytes:
    import httpx2

    try:
        return await response.aread()
    except httpx2.RequestError:
        raise unreachable(base_url, "the connection broke within the answer") from None


def _parse(text: str | bytes) -> Any:
    """None for a text that is not JSON."""
    try:
        return from_json(text)
    except ValueError:
        return None


def _is_progress(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("progress"), int | float)


def _foreign_answer(response: "httpx2.Response", base_url: str) -> SvcError:
    status = response.status_code
    if 300 <= status < 400:
        return SvcError(
            "SERVICE_UNREACHABLE",
            f"{base_url} redirects. The key is not sent to another address: set base_url to the address that it "
            "redirects to",
            {"retryable": False},
        )
    content_type = response.headers.get("content-type", "no content type")
    details: dict[str, Any] = {"retryable": status in _RETRYABLE_STATUSES}
    retry_after = response.headers.get("retry-after", "")
    if retry_after.isdecimal() and int(retry_after) > 0:
        details["retryAfterMs"] = int(retry_after) * 1_000
    return SvcError(
        "SERVICE_UNREACHABLE",
        f"{base_url} answered {status} ({content_type}), which is not an answer of an svc-sdk service: another program "
        "or a proxy speaks there. Check base_url.",
        details,
    )
