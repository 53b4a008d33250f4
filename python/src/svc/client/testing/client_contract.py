"""The contract of a client as cases for any test runner: ids, order, cursors, failures of the platform, replies,
questions, ends.

Shape: the cases run one after the other on one fake. Each case uses its own chats and stops its clients.
Units: a case takes up to 5 seconds with a client that keeps the contract. Each wait has a limit of 15 seconds.
Errors: AssertionError with the client's behaviour and the expected one.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from svc.client.base import has_member
from svc.client.testing.contract.end_cases import END_CASES
from svc.client.testing.contract.failure_cases import FAILURE_CASES
from svc.client.testing.contract.receive_cases import RECEIVE_CASES
from svc.client.testing.contract.reply_cases import REPLY_CASES
from svc.client.testing.contract.secret_cases import SECRET_CASES
from svc.client.testing.contract.shown_cases import PARTIAL_CASES, QUESTION_CASES
from svc.client.testing.contract.stage import MakeClient, Stage
from svc.client.testing.fake_platform import FakePlatform


@dataclass(frozen=True)
class ContractCase:
    """One case.

    Attributes:
        name: The behaviour, as the name of a test.
    """

    name: str
    _play: Callable[[Stage], Awaitable[None]]
    _make: MakeClient
    _fake: FakePlatform

    async def run(self) -> None:
        """Raises AssertionError when the client violates the contract."""
        stage = Stage(self._make, self._fake)
        try:
            await self._play(stage)
        except BaseException:
            # The first error causes the later ones.
            with suppress(Exception):
                await stage.end()
            raise
        await stage.end()


def client_contract(make: MakeClient, fake: FakePlatform) -> list[ContractCase]:
    """The cases for a client.

    Args:
        make: makes a client with ``"right"`` or ``"wrong"`` credentials
        fake: of its platform
    """
    client = make("right")
    cases: Mapping[str, Callable[[Stage], Awaitable[None]]] = {
        **RECEIVE_CASES,
        **FAILURE_CASES,
        **REPLY_CASES,
        **(QUESTION_CASES if has_member(client, "ask_approval") else {}),
        **(PARTIAL_CASES if has_member(client, "show_partial") else {}),
        **END_CASES,
        **SECRET_CASES,
    }
    return [ContractCase(name, play, make, fake) for name, play in cases.items()]
