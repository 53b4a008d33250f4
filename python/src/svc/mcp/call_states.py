"""The states of calls that wait for a person. A client of revision 2026-07-28 makes such a call again in rounds, and
sends back the name of the state. This process keeps the states, so nothing that the client sends is trusted.
"""

import secrets
from dataclasses import dataclass

from svc.mcp.mcp_error import INVALID_PARAMS, McpError
from svc.tools.canonical_json import to_canonical_json

_MAX_STATES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CallState:
    """One round of a call."""

    #: The same in all rounds, so that the call runs once.
    idempotency_key: str
    approval_id: str
    #: Rounds so far.
    round: int


class CallStates:
    """The newest states."""

    def __init__(self) -> None:
        self._states: dict[str, tuple[str, CallState]] = {}

    def keep(self, name: str, arguments: object, state: CallState) -> str:
        """The name of the state."""
        key = secrets.token_urlsafe(24)
        self._states[key] = (to_canonical_json([name, arguments]), state)
        if len(self._states) > _MAX_STATES:
            del self._states[next(iter(self._states))]
        return key

    def find(self, name: str, arguments: object, key: object) -> CallState | None:
        """The state with this name. None for the first round of a call.

        Raises:
            McpError: for an unknown name, and for the state of another call.
        """
        if key is None:
            return None
        call, state = self._states.get(key, (None, None)) if isinstance(key, str) else (None, None)
        if state is None or call != to_canonical_json([name, arguments]):
            raise McpError(INVALID_PARAMS, "Invalid or expired requestState", {"reason": "invalid_request_state"})
        return state
