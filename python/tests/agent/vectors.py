"""The vector files, read from the folder that all languages share."""

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
VECTORS = ROOT / "test" / "vectors"


def vector(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
