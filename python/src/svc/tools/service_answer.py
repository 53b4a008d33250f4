"""Reads one HTTP answer.

Shape: the JSON of a success, checked to be of the expected kind; progress is reported while the call runs.
Errors: the service's own problem; SERVICE_UNREACHABLE for an answer that is not the service's: a proxy's page, a
    redirect, another program on that port, a stream that breaks, more bytes than a client reads. ``retryable`` if the
    same request may succeed later. No message contains the key or a credential, which some programs quote.
"""

import re
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from svc.errors import SvcError
from svc.protocol.answer_body import AnswerTooLargeError, UnknownEncodingError, read_body, read_chunks
from svc.protocol.error_text import error_text
from svc.protocol.http import Progress
from svc.protocol.json_text import from_exact_json
from svc.protocol.retry_after import read_retry_after
from svc.tools.callbacks import call_back
from svc.tools.sent_secrets import SentSecrets
from svc.tools.sse import read_events

if TYPE_CHECKING:
    import httpx2

ProgressCallback = Callable[[Progress], Awaitable[None] | None]
AnswerTest = Callable[[object], bool]

_JSON_TYPE = re.compile(r"\bjson\b")
#: 202: the call goes on without its caller. 204: there is nothing to say.
_SUCCESSES = (200, 202, 204)
_RETRYABLE_STATUSES = (502, 503, 504)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedAnswer:
    """The expected kind of answer."""

    base_url: str
    secrets: SentSecrets
    #: Distinguishes the service's answers from another program's JSON.
    is_answer: AnswerTest
    on_progress: ProgressCallback | None


async def read_answer(response: "httpx2.Response", expected: ExpectedAnswer) -> object:
    """The JSON of a success.

    Args:
        response: with a body that is not read yet
    """
    content_type = response.headers.get("content-type", "")
    if response.status_code == 200 and content_type.startswith("text/event-stream"):
        return await _read_stream(response, expected)
    # A proxy's page is not read.
    body = await _read_body(response, expected.base_url) if _JSON_TYPE.search(content_type) else b""
    answer = _parse(body)
    if response.status_code in _SUCCESSES and expected.is_answer(answer):
        return answer
    problem = _problem_in(body.decode(errors="replace"), expected) if response.status_code >= 400 else None
    raise problem or _foreign_answer(response, expected)


def unreachable(base_url: str, reason: str) -> SvcError:
    """The error for a service that does not answer."""
    return SvcError(
        "SERVICE_UNREACHABLE",
        f"No answer from {base_url}: {reason}. "
        "Start a service with `npx svc-service serve`, or point base_url or SVC_BASE_URL to a running one.",
    )


async def _read_stream(response: "httpx2.Response", expected: ExpectedAnswer) -> object:
    import httpx2

    base_url = expected.base_url
    async with aclosing(read_events(read_chunks(response, None))) as events:  # type: ignore[type-var]
        while True:
            try:
                event = await anext(events, None)
            except httpx2.RequestError:
                raise unreachable(base_url, "the connection broke before the result") from None
            except (AnswerTooLargeError, UnknownEncodingError) as error:
                raise _unreadable(base_url, error) from None
            if event is None:
                raise unreachable(base_url, "the stream ended before the result")
            data = _parse(event.data)
            if event.event == "progress" and _is_progress(data):
                await call_back(expected.on_progress, Progress(data))
            elif event.event == "result" and expected.is_answer(data):
                return data
            elif event.event in ("result", "error"):
                raise _problem_in(event.data, expected) or SvcError(
                    "SERVICE_UNREACHABLE", f"{base_url} sent something that is not a result", {"retryable": False}
                )


def _problem_in(text: str, expected: ExpectedAnswer) -> SvcError | None:
    return SvcError.from_problem(expected.secrets.hide_in_problem(_parse(text)))


async def _read_body(response: "httpx2.Response", base_url: str) -> bytes:
    import httpx2

    try:
        return await read_body(response)
    except httpx2.RequestError:
        raise unreachable(base_url, "the connection broke within the answer") from None
    except (AnswerTooLargeError, UnknownEncodingError) as error:
        raise _unreadable(base_url, error) from None


def _unreadable(base_url: str, error: AnswerTooLargeError | UnknownEncodingError) -> SvcError:
    advice = (
        ". Ask for less, such as one page; an action may have run" if isinstance(error, AnswerTooLargeError) else ""
    )
    message = f"{base_url} sent an answer that cannot be read: {error}{advice}"
    return SvcError("SERVICE_UNREACHABLE", error_text(message), {"retryable": False})


def _parse(text: str | bytes) -> Any:
    """None for a text that is not JSON."""
    try:
        return from_exact_json(text)
    except ValueError:
        return None


def _is_progress(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("progress"), int | float)


def _foreign_answer(response: "httpx2.Response", expected: ExpectedAnswer) -> SvcError:
    base_url, status = expected.base_url, response.status_code
    if 300 <= status < 400:
        return SvcError(
            "SERVICE_UNREACHABLE",
            f"{base_url} redirects. The key is not sent to another address: set base_url to the address that it "
            "redirects to",
            {"retryable": False},
        )
    content_type = error_text(expected.secrets.hide(response.headers.get("content-type", "no content type")))
    details: dict[str, object] = {"retryable": status in _RETRYABLE_STATUSES}
    retry_after = read_retry_after(response.headers.get("retry-after"))
    if retry_after:
        details["retryAfterMs"] = round(retry_after * 1_000)
    return SvcError(
        "SERVICE_UNREACHABLE",
        f"{base_url} answered {status} ({content_type}), which is not an answer of an svc-sdk service: another program "
        "or a proxy speaks there. Check base_url.",
        details,
    )
