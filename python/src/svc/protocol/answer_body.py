"""Bodies of answers, read up to a limit. A few compressed bytes may hold gigabytes, so bytes are counted after
decompression.

Errors: AnswerTooLargeError, UnknownEncodingError, and those of the HTTP library.
"""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

_MIB = 1024 * 1024
#: The most that a client reads of one answer, or of one event of a stream.
MAX_ANSWER_BYTES = 32 * _MIB

#: A chunk in these encodings expands to at most a thousand times its bytes. Brotli, Zstandard or nested encodings may
#: expand to gigabytes.
_KNOWN_ENCODINGS = ("identity", "gzip", "deflate")
#: A header for every request whose answer ``read_chunks`` reads.
ACCEPT_ENCODING = {"accept-encoding": "gzip, deflate"}


class AnswerTooLargeError(Exception):
    """The body has more bytes than a client reads."""

    def __init__(self, max_bytes: int = MAX_ANSWER_BYTES) -> None:
        super().__init__(f"the answer has more than {max_bytes // _MIB} MiB, the limit of a client")


class UnknownEncodingError(Exception):
    """The body has a content encoding that the request did not ask for."""

    def __init__(self, encoding: str) -> None:
        super().__init__(f"the answer is encoded as {encoding[:100]!r}, which the client did not ask for")


async def read_chunks(response: "httpx2.Response", max_bytes: int | None = MAX_ANSWER_BYTES) -> AsyncIterator[bytes]:
    """The body, decompressed.

    Args:
        response: with a body that is not read yet
        max_bytes: None for a stream of any length, whose parts have limits of their own
    """
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in _KNOWN_ENCODINGS:
        raise UnknownEncodingError(encoding)
    length = 0
    async for chunk in response.aiter_bytes():
        length += len(chunk)
        if max_bytes is not None and length > max_bytes:
            raise AnswerTooLargeError(max_bytes)
        yield chunk


async def read_body(response: "httpx2.Response", max_bytes: int = MAX_ANSWER_BYTES) -> bytes:
    """The whole body, decompressed."""
    body = bytearray()
    async for chunk in read_chunks(response, max_bytes):
        body += chunk
    return bytes(body)
