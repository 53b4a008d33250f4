"""The contract, for each client of this package."""

import logging
from collections.abc import Callable
from typing import Literal

import pytest

from svc.client.base import BaseClient
from svc.client.testing import client_contract
from svc.client.testing.contract.end_cases import END_CASES
from svc.client.testing.contract.failure_cases import FAILURE_CASES
from svc.client.testing.contract.receive_cases import RECEIVE_CASES
from svc.client.testing.contract.reply_cases import REPLY_CASES
from svc.client.testing.contract.secret_cases import SECRET_CASES
from svc.client.testing.contract.secrets import Secrets
from svc.client.testing.contract.shown_cases import PARTIAL_CASES, QUESTION_CASES
from tests.client.conftest import CLIENTS, MakeClient
from tests.client.fake_platform import FakePlatform
from tests.support.typescript import from_typescript

NAMES = [
    name
    for cases in (
        RECEIVE_CASES,
        FAILURE_CASES,
        REPLY_CASES,
        QUESTION_CASES,
        PARTIAL_CASES,
        END_CASES,
        SECRET_CASES,
    )
    for name in cases
]


@pytest.mark.parametrize("platform", CLIENTS)
@pytest.mark.parametrize("name", NAMES)
async def test_contract(
    name: str,
    platform: str,
    open_fake: Callable[..., FakePlatform],
    make_client: MakeClient,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    fake = open_fake(platform)

    def make(credentials: Literal["right", "wrong"]) -> BaseClient:
        return make_client(fake, wrong=credentials == "wrong")

    case = next((each for each in client_contract(make, fake) if each.name == name), None)
    if case is None:
        pytest.skip("This client has not the optional member")
    await case.run()
    # The HTTP library logs addresses, and the socket library logs the beginnings of frames.
    Secrets(fake).check_absent("The log", caplog.text)
    assert '"token"' not in caplog.text


def test_the_cases_are_those_of_typescript() -> None:
    wanted = from_typescript(
        "clientContract(() => ({ askApproval() {}, showPartial() {} }), { secret: '' }).map(({ name }) => name)",
        {"clientContract": "agent/testing/client-contract.ts"},
    )
    assert set(NAMES) - set(wanted) == {"a receive that is cancelled loses no message", "a receive ends with its task"}
    assert set(wanted) - set(NAMES) == {"a receive ends with its signal"}


async def test_the_error_names_what_a_client_does_and_should_do(
    open_fake: Callable[..., FakePlatform], make_client: MakeClient
) -> None:
    fake = open_fake("telegram")

    def make(_credentials: Literal["right", "wrong"]) -> BaseClient:
        client = make_client(fake)
        client.__class__ = type("Nameless", (client.__class__,), {"client_id": ""})
        return client

    with pytest.raises(AssertionError, match=r"client_id has to be a text before start\(\), and is ''"):
        await client_contract(make, fake)[0].run()
