"""`svc-sdk lint -- python program.py`."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.repository import COMMAND

HARD_TO_FIND = """
import asyncio
from svc import Toolkit

toolkit = Toolkit()
toolkit.action(action="delete_user", action_description="Deletes a user with all orders")(lambda ctx: None)
asyncio.run(toolkit.run())
"""


def lint(program: Path) -> Any:
    """The report of the linter."""
    command = [*COMMAND, "lint", "--json", "--", sys.executable, program.name]
    run = subprocess.run(command, cwd=program.parent, capture_output=True, text=True, check=False)
    assert run.stderr == ""
    return json.loads(run.stdout)


def test_the_hints_have_no_spelling_of_another_language(tmp_path: Path) -> None:
    program = tmp_path / "users.py"
    program.write_text(HARD_TO_FIND)
    findings = lint(program)["findings"]
    assert [finding["rule"] for finding in findings] == ["toolkit-description", "undeclared-destructive"]
    hints = " ".join(finding["hint"] for finding in findings)
    assert "updateToolkit" not in hints
    assert "{" not in hints
