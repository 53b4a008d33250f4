"""Files and programs of the repository around this package."""

import json
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[3]
NODE = str(REPOSITORY / "node_modules" / ".bin" / "node")
#: The built command.
COMMAND = (NODE, str(REPOSITORY / "service" / "dist" / "cli.js"))


def vector(name: str) -> Any:
    """A file of test/vectors."""
    return json.loads((REPOSITORY / "test" / "vectors" / f"{name}.json").read_text())
