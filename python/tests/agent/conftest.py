from collections.abc import Iterator

import pytest

from tests.agent.world import World, start_world


@pytest.fixture(scope="session")
def world() -> Iterator[World]:
    """The service with its toolkits, and the scripted model, in one process of Node."""
    with start_world() as running:
        yield running
