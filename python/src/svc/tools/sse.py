"""Reads server-sent events from a stream of bytes.

Shape: ``(event, data)``; ``event`` defaults to ``message``, lines of ``data`` are joined by a line feed. ``id`` and
    ``retry`` are ignored: a call is resumed by its idempotency key.
Errors: those of the stream, and AnswerTooLargeError for an endless event. An incomplete event at the end of the stream
    is dropped.
Source: HTML Living Standard, section 9.2.6, "Interpreting an event stream".
"""

import codecs
import re
from collections.abc import AsyncIterator
from typing import NamedTuple

from svc.protocol.answer_body import MAX_ANSWER_BYTES, AnswerTooLargeError

_LINE_END = re.compile(r"\r\n|\n|\r")
#: The memory of a line in addition to its characters, in bytes.
_LINE_COST = 64


class ServerSentEvent(NamedTuple):
    """One event."""

    event: str
    data: str


async def read_events(stream: AsyncIterator[bytes]) -> AsyncIterator[ServerSentEvent]:
    """The events of the stream, each as soon as it is complete."""
    name, data, length = "", list[str](), 0
    async for line in _read_lines(stream):
        if line == "":
            if data:
                yield ServerSentEvent(name or "message", "\n".join(data))
            name, data, length = "", [], 0
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            length += len(value) + _LINE_COST
            if length > MAX_ANSWER_BYTES:
                raise AnswerTooLargeError
            data.append(value)


async def _read_lines(stream: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """Not ``aiter_lines`` of the HTTP library, which also ends lines at characters that JSON may hold, such as
    U+2028.
    """
    decode = codecs.getincrementaldecoder("utf-8-sig")("replace").decode
    # The parts of an unfinished line, joined only at its end: a join at each chunk takes quadratic time.
    rest = list[str]()
    length, is_after_cr = 0, False
    async for part in stream:
        chunk = decode(part)
        if not chunk:
            continue
        # The second half of a CRLF, whose line has ended already.
        first, *others = _LINE_END.split(chunk[1:] if is_after_cr and chunk[0] == "\n" else chunk)
        is_after_cr = chunk[-1] == "\r"
        rest.append(first)
        length += len(first)
        if others:
            *lines, last = "".join(rest), *others
            rest, length = [last], len(last)
            for line in lines:
                yield line
        if length > MAX_ANSWER_BYTES:
            raise AnswerTooLargeError
