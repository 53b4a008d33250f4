"""The sign of life of a silent call, without a client."""

import asyncio
from typing import Any

import pytest

from svc.mcp import progress
from svc.mcp.progress import CallProgress
from svc.protocol.http import Progress


async def test_values_grow_and_those_of_the_handler_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_SILENCE_SECONDS", 0.01)
    sent: list[Any] = []
    changed = asyncio.Event()

    def send(report: Any) -> None:
        sent.append(report)
        changed.set()

    async def signs(count: int) -> None:
        while len(sent) < count:
            changed.clear()
            await changed.wait()

    call = CallProgress(send)
    await signs(2)
    call.report(Progress({"progress": 1, "total": 2, "message": "half"}))
    call.report(Progress({"progress": 1, "total": 2}))
    reported = len(sent)
    await signs(reported + 2)
    call.report(Progress({"progress": 2, "total": 2}))
    call.end()

    values = [report["progress"] for report in sent]
    assert values == sorted(set(values))
    assert [value for value in values if value in (1, 2)] == [1, 2]
    assert [round(value, 6) for value in values[:2]] == [0, 0]
    assert sent[reported] == {"progress": pytest.approx(1), "total": 2, "message": "half"}
    await asyncio.sleep(0.03)
    assert sent[-1] == {"progress": 2, "total": 2}
