"""One requirement of the contract."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.ai.driver import Capability, Driver
from tests.ai.stage import Stage

Check = Callable[[Stage, Driver], Awaitable[None]]


@dataclass(frozen=True)
class Requirement:
    """The required behaviour of an adapter."""

    title: str
    check: Check
    #: The abilities that the framework must have.
    needs: tuple[Capability, ...] = ()


class Requirements(list[Requirement]):
    """The requirements of one module, in order."""

    def add(self, title: str, *needs: Capability) -> Callable[[Check], Check]:
        """Decorates the check."""

        def decorate(check: Check) -> Check:
            self.append(Requirement(title, check, needs))
            return check

        return decorate
