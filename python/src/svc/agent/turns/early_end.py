"""Why a turn ends before the model has answered."""

from svc.agent.events import TurnCode

#: The service keeps outcomes for 24 hours: the calls of an older turn could run a second time.
MAX_AGE_MS = 12 * 60 * 60 * 1000


class EarlyEnd(Exception):  # noqa: N818 (a /stop is not an error)
    """The turn ends, and the person reads a fixed text."""

    def __init__(self, code: TurnCode, message: str) -> None:
        super().__init__(message)
        self.code = code


class AgentEnds(Exception):  # noqa: N818 (nor is this)
    """The agent ends: the stored turn resumes at the next start."""
