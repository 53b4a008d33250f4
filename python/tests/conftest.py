import os
from collections.abc import Iterator

import pytest

from svc.testing import LocalService, start_service
from tests.support.repository import COMMAND


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes the keys and proxies of the developer's machine."""
    for name in os.environ:
        if name.startswith("SVC_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def service() -> Iterator[LocalService]:
    """The built service of this repository, with short heartbeats for tests."""
    with start_service(COMMAND, ["--limit", "heartbeatMs=1000", "--log-level", "silent"]) as running:
        yield running


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "xdist_group(name): runs in one process with the others of that name")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of a file share its fixtures, so they run in one process. So do all tests with the world, which starts
    once."""
    for item in items:
        group = "world" if "world" in getattr(item, "fixturenames", ()) else item.nodeid.partition("::")[0]
        item.add_marker(pytest.mark.xdist_group(group))
