"""Pictures that people send, from addresses that need no credential."""

from asyncio import sleep
from typing import TYPE_CHECKING

from svc.client.base import MAX_IMAGE_BYTES, image_data_url
from svc.client.exchange import HttpAnswer, NoAnswer, exchange
from svc.client.retry_wait import retry_wait

if TYPE_CHECKING:
    import httpx2

_TRIES = 3
_TIMEOUT = 20.0


async def download_image(http: "httpx2.AsyncClient", url: str) -> str | None:
    """Downloads a picture.

    Returns:
        A data URL. None for a picture that is too large, of another type, or unavailable: the text of its message must
        not wait for it.
    """
    import httpx2

    try:
        request = http.build_request("GET", url)
    except httpx2.InvalidURL:
        return None
    for tried in range(1, _TRIES + 1):
        answer = await exchange(http, request, timeout=_TIMEOUT, max_bytes=MAX_IMAGE_BYTES)
        if isinstance(answer, NoAnswer) and answer.is_final:
            return None
        if isinstance(answer, HttpAnswer):
            if answer.is_success:
                return image_data_url(answer.body)
            if answer.status != 429 and answer.status < 500:
                return None
        if tried < _TRIES:
            await sleep(retry_wait(tried))
    return None
