"""Exponential backoff with jitter: seconds to wait after so many failures in a row, counted from 1.

The limit doubles with each failure. ``svc.toolkit.backoff`` is the other one: the limit of a reconnect grows with the
time that was waited already.

Source: "full jitter" and "equal jitter" of https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
"""

import random

#: A higher power would overflow a float; every limit is reached before.
_MAX_DOUBLINGS = 64


def full_jitter(failures: int, *, first: float, longest: float) -> float:
    """A random time below the limit. Callers that failed together do not return together."""
    return random.random() * _limit(failures, first, longest)


def equal_jitter(failures: int, *, first: float, longest: float) -> float:
    """A random time between half of the limit and the limit: a server that fails gets time to recover."""
    return _limit(failures, first, longest) * (1 + random.random()) / 2


def _limit(failures: int, first: float, longest: float) -> float:
    return min(longest, first * 2.0 ** min(failures - 1, _MAX_DOUBLINGS))
