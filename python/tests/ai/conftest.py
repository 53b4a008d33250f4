import ssl
import warnings
from collections.abc import AsyncIterator, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.ai.matrix import Matrix
from tests.ai.stage import Stage, StageProcess


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--matrix", type=Path, help="a file for the outcomes of the contract, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    """Warnings of the frameworks are not failures of the adapters."""
    config.addinivalue_line("filterwarnings", "default")
    if (file := config.getoption("--matrix")) is not None:
        config.pluginmanager.register(Matrix(file))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
async def stage_process() -> AsyncIterator[StageProcess]:
    """One process and, because this is asynchronous, one event loop for all tests: frameworks share connections."""
    process = StageProcess()
    yield process
    process.close()


@pytest.fixture(scope="session", autouse=True)
def one_ssl_context() -> Iterator[None]:
    """Each new client of a framework reads all root certificates, which takes longer than most tests."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture
async def stage(stage_process: StageProcess) -> AsyncIterator[Stage]:
    stage = Stage(stage_process)
    async with stage.tools:
        yield stage


def pytest_unconfigure() -> None:
    """Clients of frameworks that are not closed are collected at the end."""
    warnings.simplefilter("ignore", ResourceWarning)
