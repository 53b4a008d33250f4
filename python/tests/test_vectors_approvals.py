"""Calls that wait for a person, and calls that go on without their caller, played by ``Tools``."""

from typing import Any

import pytest

from tests.support.repository import vector
from tests.support.vector_calls import named
from tests.support.vector_clients import play_client


@pytest.fixture(autouse=True)
def _without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svc.tools.caller_approvals._PAUSE", 0)


@pytest.mark.parametrize("case", vector("approvals"), ids=named)
async def test_a_client_plays_approvals(case: dict[str, Any]) -> None:
    await play_client(case)


@pytest.mark.parametrize("case", vector("long-calls"), ids=named)
async def test_a_client_plays_long_calls(case: dict[str, Any]) -> None:
    await play_client(case)
