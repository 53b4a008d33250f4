"""The package: the time and the modules of an import, and the values that must equal those of the repository."""

import json
import pickle
import re
import subprocess
import sys
import tomllib

import pytest

import svc
from tests.support.repository import REPOSITORY

COUNT_EVENTS = """
import sys
events = 0
def count(*_):
    global events
    events += 1
sys.setprofile(count)
exec(sys.argv[1])
sys.setprofile(None)
print(events)
"""


def events_of(statement: str) -> int:
    """Calls and returns of functions: as many on a busy machine. The first run may compile, the second does not."""
    command = [sys.executable, "-I", "-c", COUNT_EVENTS, statement]
    counts = [int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(2)]
    return min(counts)


@pytest.mark.parametrize(("statement", "most"), [("import svc", 0.25), ("from svc import Tools", 2)])
def test_an_import_costs_little(statement: str, most: float) -> None:
    """Counted in imports of asyncio, which every async program pays."""
    assert events_of(statement) <= most * events_of("import asyncio")


@pytest.mark.parametrize("name", ["Tools", "Toolkit"])
def test_no_heavy_module_is_loaded_before_its_use(name: str) -> None:
    code = (
        f"import sys; from svc import {name}; print(sorted({{'httpx2', 'websockets', 'pydantic'}} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_every_public_name_is_there() -> None:
    assert [name for name in svc.__all__ if not hasattr(svc, name)] == []
    assert dir(svc) == sorted(svc.__all__)
    with pytest.raises(AttributeError, match="module 'svc' has no attribute 'Agents'"):
        _ = svc.Agents


def test_an_error_survives_a_process_pool() -> None:
    error = pickle.loads(pickle.dumps(svc.SvcError("RATE_LIMITED", "Wait", {"retryAfterMs": 1})))
    assert error.to_json() == {"code": "RATE_LIMITED", "message": "Wait", "retryAfterMs": 1, "retryable": True}


def test_the_version_is_that_of_the_repository() -> None:
    version = json.loads((REPOSITORY / "package.json").read_text())["version"]
    project = tomllib.loads((REPOSITORY / "python" / "pyproject.toml").read_text())["project"]
    assert (svc.__version__, project["version"]) == (version, version)


def test_the_licence_is_that_of_the_repository() -> None:
    assert (REPOSITORY / "python" / "LICENSE").read_text() == (REPOSITORY / "LICENSE").read_text()


def test_no_file_names_a_registry_or_an_address_of_one() -> None:
    texts = [(REPOSITORY / "python" / name).read_text() for name in ("pyproject.toml", "requirements-dev.txt")]
    assert re.findall(r"https?://|index-url|find-links", "\n".join(texts)) == []
