"""Connections of a caller, played by ``Tools`` against a server with scripted answers."""

from typing import Any

import pytest

from svc import SvcError, Tools
from tests.support.match import fill_in
from tests.support.repository import vector
from tests.support.vector_calls import named
from tests.support.vector_clients import play_client
from tests.support.vector_exchanges import KEY
from tests.support.wire_server import Reply, wire_server

VECTORS = vector("connections")
INVOKED = Reply(body={"invocationId": "inv_1", "result": None})


@pytest.mark.parametrize("case", VECTORS["credentials"], ids=named)
async def test_the_header_of_a_credential(case: dict[str, Any]) -> None:
    credential = fill_in(case["credential"], {})
    async with wire_server(INVOKED) as server, Tools(KEY, base_url=server.url) as tools:
        if case["header"] is not None:
            await tools.invoke(f"{case['toolkit']}__list", connection=credential)
            assert server.received[0].headers["svc-connections"] == case["header"]
            return
        with pytest.raises(SvcError) as refused:
            await tools.invoke(f"{case['toolkit']}__list", connection=credential)
        assert refused.value.code == "INVALID_REQUEST"
        assert "secr" not in str(refused.value)
        assert server.received == []


@pytest.mark.parametrize("case", VECTORS["choices"], ids=named)
async def test_the_header_of_chosen_connections(case: dict[str, Any]) -> None:
    names = fill_in(case["connectionNames"], {})
    async with wire_server(INVOKED) as server:
        if case.get("error"):
            with pytest.raises(SvcError, match="connection") as refused:
                Tools(KEY, base_url=server.url, connection_names=names)
            assert refused.value.code == "INVALID_REQUEST"
            return
        async with Tools(KEY, base_url=server.url, connection_names=names) as tools:
            await tools.invoke("github__list")
        assert server.received[0].headers.get("svc-connection-names") == case["header"]


@pytest.mark.parametrize("case", VECTORS["clients"], ids=named)
async def test_a_client_plays(case: dict[str, Any]) -> None:
    await play_client(case)
