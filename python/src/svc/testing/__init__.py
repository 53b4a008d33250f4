"""Tests of agents and toolkits against the real service. Needs pytest and Node.

Write ``pytest_plugins = ["svc.testing"]`` into ``conftest.py``, and take the fixture ``svc_service``:

```python
async def test_the_agent_finds_the_weather(svc_service):
    toolkit = Toolkit(svc_service.create_key("toolkit", "weather"), base_url=svc_service.url)
    ...
    tools = Tools(svc_service.create_key("agent", "test"), base_url=svc_service.url)
```
"""

from collections.abc import Iterator

import pytest

from svc.testing.service import LocalService, start_service

__all__ = ["LocalService", "start_service", "svc_service"]


@pytest.fixture(scope="session")
def svc_service() -> Iterator[LocalService]:
    """A service on a free port, with temporary data. All tests share it; different keys separate them."""
    with start_service() as service:
        yield service
