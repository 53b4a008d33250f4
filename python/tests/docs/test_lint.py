from pathlib import Path

from tests.docs.linter import lint

HARD_TO_FIND = """
import asyncio
from svc import Toolkit

toolkit = Toolkit()
toolkit.action(action="delete_user", action_description="Deletes a user with all orders")(lambda ctx: None)
asyncio.run(toolkit.run())
"""


def test_the_hints_have_no_spelling_of_another_language(tmp_path: Path) -> None:
    program = tmp_path / "users.py"
    program.write_text(HARD_TO_FIND)
    findings = lint(program)["findings"]
    assert [finding["rule"] for finding in findings] == ["toolkit-description", "undeclared-destructive"]
    hints = " ".join(finding["hint"] for finding in findings)
    assert "updateToolkit" not in hints
    assert "{" not in hints
