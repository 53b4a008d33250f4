"""The contract, for each client."""

import logging
from collections.abc import Callable

import pytest

from tests.client.conftest import CLIENTS, MakeClient
from tests.client.contract import CASES, stage_on
from tests.client.fake_platform import FakePlatform


@pytest.mark.parametrize("platform", CLIENTS)
@pytest.mark.parametrize("case", CASES)
async def test_contract(
    case: str,
    platform: str,
    open_fake: Callable[..., FakePlatform],
    make_client: MakeClient,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    fake = open_fake(platform)
    async with stage_on(lambda credentials: make_client(fake, wrong=credentials == "wrong"), fake) as stage:
        await CASES[case](stage)
    # The HTTP library logs addresses, and the socket library logs the beginnings of frames.
    stage.check_absent("The log", caplog.text)
    assert '"token"' not in caplog.text
