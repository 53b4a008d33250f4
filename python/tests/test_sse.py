"""Server-sent events, however the bytes of the stream are cut."""

import random
from collections.abc import AsyncIterator

import pytest

from svc.tools.sse import read_events

STREAM = (
    "\ufeff: a comment\r\nid: 1\r\nevent: progress\r\ndata: {\r\ndata:  1}\r\n\r\n"
    "data\n\ndata: é\u2028\x85😀\nretry: 5\n\nevent: empty\n\nevent:result\rdata:done\r\rdata: incomplete\n"
)
EVENTS = [("progress", "{\n 1}"), ("message", ""), ("message", "é\u2028\x85😀"), ("result", "done")]


async def chunks(cuts: list[int]) -> AsyncIterator[bytes]:
    stream = STREAM.encode()
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        yield stream[begin:end]


@pytest.mark.parametrize("seed", range(40))
async def test_events(seed: int) -> None:
    size = len(STREAM.encode())
    pick = random.Random(seed)
    cuts = sorted(pick.sample(range(1, size), pick.randint(0, size - 1))) if seed else list(range(1, size))
    assert [tuple(event) async for event in read_events(chunks(cuts))] == EVENTS
