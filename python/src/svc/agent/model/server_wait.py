"""The wait that a server asks for.

Units: seconds; None if the server asks for none, or in a form that no standard has.
Source: RFC 9110, section 10.2.3; ``retry-after-ms`` is OpenAI's.
"""

from collections.abc import Callable

from svc.protocol.retry_after import read_retry_after


def read_server_wait(header: Callable[[str], str | None]) -> float | None:
    """The wait in seconds.

    Args:
        header: gives the value of a header by its name in lower case
    """
    milliseconds = _number_in(header("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    return read_retry_after(header("retry-after"))


def _number_in(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if number >= 0 else None
