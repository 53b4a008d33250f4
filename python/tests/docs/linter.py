"""`svc-service lint -- python program.py`."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.repository import COMMAND


def lint(program: Path) -> Any:
    """The report of the linter about a program in Python."""
    # Option -B prevents a bytecode cache beside the program.
    command = [*COMMAND, "lint", "--json", "--", sys.executable, "-B", program.name]
    run = subprocess.run(command, cwd=program.parent, capture_output=True, text=True, check=False)
    assert run.stderr == ""
    return json.loads(run.stdout)
