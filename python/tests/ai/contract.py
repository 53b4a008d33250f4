"""The contract of every adapter: its behaviour in the real framework with a scripted model.

Shape: a requirement is a function of a stage and a driver. ``test/contract/adapter.ts`` has the same requirements. A
    requirement that a framework cannot meet is skipped, with the driver's reason.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tests.ai.driver import Capability, Driver
from tests.ai.requirements import answers, approval, arguments, calls, payments
from tests.ai.requirements.requirement import Requirement
from tests.ai.stage import Stage

REQUIREMENTS: dict[str, Requirement] = {
    requirement.title: requirement
    for module in (calls, answers, payments, arguments, approval)
    for requirement in module.REQUIREMENTS
}


def contract_of(*drivers: Driver) -> Any:
    """The test of every requirement with every driver: ``test_contract = contract_of(DRIVER)``."""

    @pytest.mark.parametrize("requirement", REQUIREMENTS)
    @pytest.mark.parametrize("driver", drivers, ids=str)
    async def test_contract(
        requirement: str, driver: Driver, stage: Stage, record_property: Callable[[str, Any], None]
    ) -> None:
        record_property("driver", driver.title)
        record_property("requirement", requirement)
        needs = REQUIREMENTS[requirement].needs
        if reason := _reason(driver, needs):
            pytest.skip(reason)
        await REQUIREMENTS[requirement].check(stage, driver)

    return test_contract


def _reason(driver: Driver, needs: tuple[Capability, ...]) -> str | None:
    return next((driver.cannot[each] for each in needs if each in driver.cannot), None)
