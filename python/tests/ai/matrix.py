"""Writes the outcomes of the contract, for ``npm run matrix:python``.

Shape: a list of ``{driver, requirement, status, reason}``; the reason is the driver's, of a requirement that its
    framework cannot meet.
"""

import json
from pathlib import Path
from typing import Any

import pytest


class Matrix:
    """A plugin of pytest."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lines: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        facts = dict(report.user_properties)
        if report.when == "call" and "requirement" in facts:
            reason = report.longrepr[2].removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else None
            self._lines.append({**facts, "status": report.outcome, "reason": reason})

    def pytest_sessionfinish(self) -> None:
        self._file.write_text(json.dumps(self._lines))
