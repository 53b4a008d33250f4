from collections.abc import AsyncIterator

import pytest

from tests.ai.stage import Stage, StageProcess


def pytest_configure(config: pytest.Config) -> None:
    """Warnings of the frameworks are no failures of the adapters."""
    config.addinivalue_line("filterwarnings", "default")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
async def stage_process() -> AsyncIterator[StageProcess]:
    """One process and, because this is asynchronous, one event loop for all tests: frameworks share connections."""
    process = StageProcess()
    yield process
    process.close()


@pytest.fixture
async def stage(stage_process: StageProcess) -> AsyncIterator[Stage]:
    stage = Stage(stage_process)
    async with stage.tools:
        yield stage
