"""The command of the documentation, `uvx --from svc-sdk svc-tools-mcp`, from a folder of wheels."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from svc import __version__
from tests.support.mcp_process import mcp_process
from tests.support.repository import REPOSITORY

_FOLDER_OF_PROGRAMS = str(Path(sys.executable).parent)
_PATH = os.pathsep.join((_FOLDER_OF_PROGRAMS, os.environ["PATH"]))
_UVX = shutil.which("uvx", path=_PATH)


@pytest.mark.skipif(_UVX is None, reason="uvx is not installed: pip install uv")
async def test_uvx_starts_the_command_from_local_wheels(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    build = ["wheel", "--quiet", "--no-build-isolation", "--wheel-dir", str(wheels)]
    _run(sys.executable, "-m", "pip", *build, str(REPOSITORY / "python"))
    environment = {
        "PATH": _PATH,
        "HOME": str(tmp_path),
        "UV_NO_INDEX": "1",
        "UV_OFFLINE": "1",
        "UV_FIND_LINKS": str(wheels),
        "UV_CACHE_DIR": str(tmp_path / "cache"),
        "UV_PYTHON": sys.executable,
        "SVC_AGENT_API_KEY": "none",
    }
    command = ["uvx", "--from", "svc-sdk", "svc-tools-mcp"]
    async with mcp_process(environment, command=command) as mcp:
        answer = await mcp.initialize()
        server = answer["result"]["serverInfo"]
        assert (server["name"], server["version"]) == ("svc-sdk", __version__)
        # Needs the wheels of the dependencies.
        failed = await mcp.call("search_services", {"query": "weather"})
        assert failed["structuredContent"]["error"]["code"] == "INVALID_KEY"
        assert await mcp.end() == 0


def _run(*command: str) -> None:
    run = subprocess.run(command, env={**os.environ, "PATH": _PATH}, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
