"""Reads server-sent events from a stream of bytes.

Shape: ``(event, data)``; ``event`` defaults to ``message``, lines of ``data`` are joined by a line feed. ``id`` and
    ``retry`` are ignored: a call is resumed by its idempotency key.
Errors: those of the stream. An incomplete event at the end of the stream is dropped.
Source: HTML Living Standard, section 9.2.6, "Interpreting an event stream".
"""

import codecs
import re
from collections.abc import AsyncIterator
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n|\n|\r")
#: A CR at the end of a chunk may be the first half of CRLF: wait for the next chunk.
_LINE_END_WITHIN = re.compile(r"\r\n|\n|\r(?!\Z)")


class ServerSentEvent(NamedTuple):
    """One event."""

    event: str
    data: str


async def read_events(stream: AsyncIterator[bytes]) -> AsyncIterator[ServerSentEvent]:
    """The events of the stream, each as soon as it is complete."""
    name, data = "", list[str]()
    async for line in _read_lines(stream):
        if line == "":
            if data:
                yield ServerSentEvent(name or "message", "\n".join(data))
            name, data = "", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)


async def _read_lines(stream: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """Not ``aiter_lines`` of the HTTP library: it also ends lines at characters that JSON may hold, such as U+2028."""
    decode = codecs.getincrementaldecoder("utf-8-sig")("replace").decode
    rest = ""
    async for chunk in stream:
        *lines, rest = _LINE_END_WITHIN.split(rest + decode(chunk))
        for line in lines:
            yield line
    *lines, _ = _LINE_END.split(rest + decode(b"", True))
    for line in lines:
        yield line
