"""The wait before a client asks its platform again.

Units: seconds.
"""

from svc.protocol.backoff import full_jitter

_FIRST_WAIT = 1.0
_LONGEST_WAIT = 60.0


def retry_wait(tried: int) -> float:
    """A wait.

    Args:
        tried: tries so far, from 1 on
    """
    return full_jitter(tried, first=_FIRST_WAIT, longest=_LONGEST_WAIT)
