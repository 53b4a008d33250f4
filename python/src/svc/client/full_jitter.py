"""The wait before the next try: "full jitter", a random part of a time that doubles with each try.

Units: seconds.
"""

import random

_FIRST_WAIT = 1.0
_LONGEST_WAIT = 60.0
#: Further tries use the longest wait; a higher power would overflow a float.
_DOUBLINGS = 6


def full_jitter(tried: int) -> float:
    """A wait.

    Args:
        tried: tries so far, from 1 on
    """
    return random.random() * min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** min(tried - 1, _DOUBLINGS))
