"""Values of the TypeScript sources: one process of Node for each process of pytest."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.repository import NODE, REPOSITORY


def from_typescript(expression: str, imports: dict[str, str], given: Any = None) -> Any:
    """The JSON of an expression with names of the TypeScript sources.

    Args:
        expression: JavaScript; ``given`` is a name in it.
        imports: names, with commas between -> file below src/.
        given: JSON.
    """
    process = _process()
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps({"expression": expression, "imports": imports, "given": given}) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    assert "error" not in answer, answer["error"]
    return answer.get("value")


@cache
def _process() -> "subprocess.Popen[str]":
    """The process ends with its stdin, which no other process inherits."""
    program = str(Path(__file__).with_suffix(".mjs"))
    return subprocess.Popen(
        [NODE, "--import", "./scripts/source-imports.ts", program],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
