"""Calls that wait for a person, calls that go on without their caller, and runs of code, played by ``Tools``."""

from typing import Any

import pytest

from tests.support.repository import vector
from tests.support.vector_calls import named
from tests.support.vector_clients import play_client


@pytest.fixture(autouse=True)
def _without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("caller_approvals", "code_runs"):
        monkeypatch.setattr(f"svc.tools.{module}._PAUSE", 0)


@pytest.mark.parametrize("case", vector("approvals"), ids=named)
async def test_a_client_plays_approvals(case: dict[str, Any]) -> None:
    await play_client(case)


@pytest.mark.parametrize("case", vector("long-calls"), ids=named)
async def test_a_client_plays_long_calls(case: dict[str, Any]) -> None:
    await play_client(case)


@pytest.mark.parametrize("case", vector("run-code")["clients"], ids=named)
async def test_a_client_plays_runs_of_code(case: dict[str, Any]) -> None:
    await play_client(case)
