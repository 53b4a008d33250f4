"""The Bot API over HTTP: waits for rate limits, and retries passing failures.

Units: seconds.
Errors: TelegramError.
Source: https://core.telegram.org/bots/api#making-requests
"""

import json
import math
from asyncio import sleep
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from svc.client.base import MAX_IMAGE_BYTES
from svc.client.exchange import HttpAnswer, NoAnswer, exchange
from svc.client.images import Image
from svc.client.retry_wait import retry_wait
from svc.client.telegram.telegram_error import TelegramError, unreachable_telegram, wrong_token

if TYPE_CHECKING:
    import httpx2

#: Telegram ends the older of two polls with 409; the other poller then waits for as long as its own poll.
_CONFLICT_WAIT = 35.0
#: The timeout beyond the duration of a poll: a half-open connection never answers.
_ANSWER_TIME = 15.0
_DOWNLOAD_TIME = 20.0
_DOWNLOAD_TRIES = 3


@dataclass(frozen=True, slots=True)
class TelegramAccount:
    """A bot, and the address of its API."""

    bot_token: str = field(repr=False)
    #: The address has no slash at its end.
    api_root: str
    poll_seconds: float
    client_id: str


@dataclass(frozen=True, slots=True)
class File:
    """A picture that is sent as a parameter of a method."""

    parameter: str
    image: Image


class TelegramApi:
    """The methods of one bot."""

    def __init__(self, http: "httpx2.AsyncClient", account: TelegramAccount) -> None:
        self._http = http
        self._account = account

    async def call(
        self,
        method: str,
        payload: Mapping[str, object] | None = None,
        *,
        file: File | None = None,
        tries: float = math.inf,
    ) -> Any:
        """The result of a method.

        Args:
            tries: a wait for a rate limit does not count as a try. With 1 a rate limit is an error too: such a request
                is outdated after a wait.
        """
        failures = 0
        while True:
            outcome = await self._call_once(method, payload or {}, file)
            if not isinstance(outcome, TelegramError):
                return outcome
            if outcome.retry_after is None:
                failures += 1
            if not outcome.is_retryable or tries == 1 or failures >= tries:
                raise outcome
            await sleep(_wait_after(outcome, failures))

    async def download(self, file_id: str) -> bytes | None:
        """The bytes of a picture. Its URL has the token and is not passed on.

        Returns:
            None for a file that is too large, or that cannot be downloaded: the text of its message, and other chats,
            must not wait for the file.

        Raises:
            TelegramError: for a wrong token
        """
        try:
            file = await self.call("getFile", {"file_id": file_id}, tries=_DOWNLOAD_TRIES)
        except TelegramError as failure:
            if failure.is_wrong_token:
                raise
            return None
        if file.get("file_size", 0) > MAX_IMAGE_BYTES or not file.get("file_path"):
            return None
        return await self._fetch_file(file["file_path"])

    async def _fetch_file(self, path: str) -> bytes | None:
        request = self._build("GET", f"/file/{path}", f"/file/bot{self._account.bot_token}/{quote(path)}")
        for tried in range(1, _DOWNLOAD_TRIES + 1):
            answer = await exchange(self._http, request, timeout=_DOWNLOAD_TIME, max_bytes=MAX_IMAGE_BYTES)
            if isinstance(answer, NoAnswer) and answer.is_final:
                return None
            if isinstance(answer, HttpAnswer):
                if answer.is_success:
                    return answer.body
                if answer.status == 401:
                    raise wrong_token(self._account.client_id, 401)
                if answer.status not in (409, 429) and answer.status < 500:
                    return None
            if tried < _DOWNLOAD_TRIES:
                await sleep(retry_wait(tried))
        return None

    async def _call_once(self, method: str, payload: Mapping[str, object], file: File | None) -> Any:
        """The result, or a TelegramError. Errors are created outside of the HTTP library's exception handlers, so that
        none has an error of the library as context.
        """
        account = self._account
        request = self._build("POST", f"/{method}", f"/bot{account.bot_token}/{method}", **_content(payload, file))
        answer = await exchange(self._http, request, timeout=account.poll_seconds + _ANSWER_TIME)
        if isinstance(answer, NoAnswer):
            return unreachable_telegram(account.client_id, answer.reason)
        body = _parse(answer.body)
        if body is None:
            return unreachable_telegram(account.client_id, f"{answer.status} without JSON")
        if body.get("ok") is True:
            return body.get("result")
        return self._failure(method, body, answer.status)

    def _failure(self, method: str, body: Mapping[str, Any], http_status: int) -> TelegramError:
        client_id = self._account.client_id
        status = body.get("error_code", http_status)
        # Status 401 means a revoked token, 404 a token that never existed.
        if status in (401, 404):
            return wrong_token(client_id, status)
        parameters = body.get("parameters") or {}
        description = str(body.get("description", "")).replace(self._account.bot_token, "…")
        return TelegramError(
            f"Telegram refused {method} of {client_id}: {status} {description}",
            status,
            moved_to=parameters.get("migrate_to_chat_id"),
            retry_after=parameters.get("retry_after"),
        )

    def _build(self, verb: str, shown: str, target: str, **content: Any) -> "httpx2.Request":
        """The HTTP library may log this request's URL, which has no token; the URL with the token is sent."""
        root = self._account.api_root
        request = self._http.build_request(verb, f"{root}{shown}", **content)
        request.extensions["target"] = f"{urlsplit(root).path}{target}".encode()
        return request


def _content(payload: Mapping[str, object], file: File | None) -> dict[str, Any]:
    if file is None:
        # Letters are escaped: half a surrogate pair, which a model may write, cannot be encoded.
        return {"content": json.dumps(payload), "headers": {"content-type": "application/json"}}
    image = file.image
    name = f"image.{image.media_type.removeprefix('image/')}"
    return {
        "data": {parameter: str(value) for parameter, value in payload.items()},
        "files": {file.parameter: (name, image.data, image.media_type)},
    }


def _parse(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _wait_after(failure: TelegramError, failures: int) -> float:
    if failure.retry_after is not None:
        return failure.retry_after
    return _CONFLICT_WAIT if failure.status == 409 else retry_wait(failures)
