"""Waits before the next try: "full jitter", a random time between 0 and a limit that grows with the total wait, so that
thousands of toolkits do not reconnect at the same moment.

Units: seconds.
Source: docs/protocol.md, section 6, "Close codes".
"""

import random

_FIRST_LIMIT = 0.25
_LONGEST_WAIT = 30.0


class Backoff:
    """The waits since the last connection."""

    def __init__(self) -> None:
        self._waited = 0.0

    def next(self, wish: float | None) -> float:
        """The next wait.

        Args:
            wish: the minimum that the service asked for, cut to the longest wait
        """
        limit = min(_LONGEST_WAIT, _FIRST_LIMIT + self._waited)
        wait = max(random.random() * limit, min(wish or 0.0, _LONGEST_WAIT))
        self._waited += wait
        return wait

    def reset(self) -> None:
        self._waited = 0.0
