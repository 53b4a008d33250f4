"""Requests to Discord's REST API: waits for rate limits, and retries passing failures.

Units: seconds. A 429 waits for as long as Discord says, and does not count as a try.
Errors: DiscordRefusedError for an answer that no retry would change, DiscordUnavailableError after the last try.
    No message holds a token.
Source: https://discord.com/developers/docs/topics/rate-limits
"""

import json
from asyncio import sleep
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from svc.client.discord.refusals import token_refusal
from svc.client.exchange import HttpAnswer, NoAnswer, exchange
from svc.client.images import Image
from svc.client.retry_wait import retry_wait
from svc.version import __version__

if TYPE_CHECKING:
    import httpx2

USER_AGENT = f"DiscordBot (svc-sdk, {__version__})"
_SEND_TRIES = 5
_PRESS_TRIES = 2
#: The wait after a rate limit without a time.
_RATE_LIMIT_WAIT = 1.0
_REQUEST_TIME = 30.0


class DiscordRefusedError(Exception):
    """Discord refused a request, and would refuse it again."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class DiscordUnavailableError(Exception):
    """Another try may succeed.

    Attributes:
        wait: The seconds that Discord asks to wait; None if Discord named no time.
    """

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    method: str
    path: str
    body: Mapping[str, object] | None
    images: Sequence[Image]


class DiscordApi:
    """The REST API for one bot."""

    def __init__(self, http: "httpx2.AsyncClient", *, api_url: str, bot_token: str, client_id: str) -> None:
        self._http = http
        self._api_url = api_url.rstrip("/")
        self._bot_token = bot_token
        self._client_id = client_id

    async def send(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        images: Sequence[Image] = (),
        tries: int = _SEND_TRIES,
    ) -> Any:
        """The JSON of the answer, None for an empty one.

        Args:
            tries: with 1, a rate limit is an error too
        """
        request = _Request(method=method, path=path, body=body, images=images)
        failures = 0
        while True:
            outcome = await self._send_once(request)
            if not isinstance(outcome, DiscordUnavailableError):
                return outcome
            if outcome.wait is None:
                failures += 1
            if tries == 1 or failures >= tries:
                raise outcome
            await sleep(retry_wait(failures) if outcome.wait is None else outcome.wait)

    async def answer_press(self, interaction_id: str, token: str, body: Mapping[str, object]) -> None:
        """Answers an interaction. Errors do not matter.

        The real address has a token, so the HTTP library gets another address to log; the bot's own token is not sent.
        """
        request = self._http.build_request("POST", f"{self._api_url}/interactions/{interaction_id}/callback", json=body)
        path = f"{urlsplit(self._api_url).path}/interactions/{interaction_id}/{token}/callback"
        request.extensions["target"] = path.encode()
        for tried in range(1, _PRESS_TRIES + 1):
            answer = await exchange(self._http, request, timeout=_REQUEST_TIME)
            if isinstance(answer, HttpAnswer) and answer.status < 500:
                return
            await sleep(retry_wait(tried))

    async def _send_once(self, request: _Request) -> Any:
        """The JSON, or a DiscordUnavailableError. Errors are created outside of the HTTP library's exception handlers,
        so that none has an error of the library as its context.
        """
        built = self._http.build_request(request.method, f"{self._api_url}{request.path}", **_content(request))
        built.headers["authorization"] = f"Bot {self._bot_token}"
        answer = await exchange(self._http, built, timeout=_REQUEST_TIME)
        name = f"{request.method} {request.path}"
        if isinstance(answer, NoAnswer):
            return DiscordUnavailableError(f"Discord does not answer {name}: {answer.reason}")
        if answer.is_success:
            return _parse(answer.body)
        if answer.status == 401:
            raise token_refusal(self._client_id)
        problem = _parse(answer.body)
        problem = problem if isinstance(problem, dict) else {}
        if answer.status == 429:
            return DiscordUnavailableError(f"Discord limits the rate of {name}", _rate_limit_wait(problem, answer))
        if answer.status == 408 or answer.status >= 500:
            return DiscordUnavailableError(f"Discord answers {name} with {answer.status}")
        words = f"{problem.get('message', 'without words')} ({problem.get('code', 0)})"
        raise DiscordRefusedError(f"Discord refuses {name}: {answer.status} {words}", answer.status)


def _content(request: _Request) -> dict[str, Any]:
    if request.body is None:
        return {}
    # Letters are escaped: half a surrogate pair, which a model may write, cannot be encoded.
    text = json.dumps(request.body)
    if not request.images:
        return {"content": text, "headers": {"content-type": "application/json"}}
    return {
        "data": {"payload_json": text},
        "files": {
            f"files[{index}]": (file_name(index, image), image.data, image.media_type)
            for index, image in enumerate(request.images)
        },
    }


def file_name(index: int, image: Image) -> str:
    return f"image-{index + 1}.{image.media_type.removeprefix('image/')}"


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _rate_limit_wait(problem: Mapping[str, object], answer: HttpAnswer) -> float:
    """The header has whole seconds. A proxy in front of Discord sends only the header."""
    wait = problem.get("retry_after")
    if not isinstance(wait, int | float):
        text = answer.headers.get("retry-after", "")
        wait = int(text) if text.isascii() and text.isdecimal() else 0
    return wait if wait > 0 else _RATE_LIMIT_WAIT
