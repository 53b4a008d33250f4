"""One requirement of the contract."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.ai.driver import Capability, Driver
from tests.ai.stage import Stage

Check = Callable[[Stage, Driver], Awaitable[None]]


@dataclass(frozen=True)
class Requirement:
    """What an adapter does."""

    title: str
    check: Check
    #: What the framework must be able to do.
    needs: tuple[Capability, ...] = ()


class Requirements(list[Requirement]):
    """The requirements of one module, in their order."""

    def add(self, title: str, *needs: Capability) -> Callable[[Check], Check]:
        """Decorates the check."""

        def decorate(check: Check) -> Check:
            self.append(Requirement(title, check, needs))
            return check

        return decorate
