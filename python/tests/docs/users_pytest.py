"""Runs pytest in a user's project, as the pages show."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.repository import COMMAND


def assert_tests_pass(folder: Path, count: int = 1) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)],
        cwd=folder,
        env={**os.environ, "SVC_COMMAND": " ".join(COMMAND)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{count} passed" in run.stdout
