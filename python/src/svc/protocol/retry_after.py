"""``Retry-After``: RFC 9110, sections 10.2.3 and 5.6.7.

Shape: whole seconds, or a date in one of three forms. Anything else, such as ``-5`` or ``1.5``, counts as absent.
Units: seconds from now.
"""

import re
import time
from email.utils import mktime_tz, parsedate_tz

_SECONDS = re.compile(r"[0-9]+")
#: The maximum wait: 68 years.
_MAX_SECONDS = 2**31
_DATE = re.compile(
    r"[A-Z][a-z]{2,8}, [0-9]{2}[ -][A-Z][a-z]{2}[ -][0-9]{2}([0-9]{2})? [0-9]{2}:[0-9]{2}:[0-9]{2} GMT"
    # The form of C's `asctime`, which has no time zone.
    r"|[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}"
)


def read_retry_after(header: str | None) -> float | None:
    """The wait in seconds; None if the header is absent or invalid."""
    text = (header or "").strip()
    if _SECONDS.fullmatch(text):
        return min(float(text), _MAX_SECONDS)
    date = parsedate_tz(text) if _DATE.fullmatch(text) else None
    if date is None:
        return None
    try:
        return max(0.0, mktime_tz(date) - time.time())
    except (ValueError, OverflowError):
        return None
