"""Validates the options of a ``Tools``, so that a wrong option does not surface later as another error."""

from svc.errors import SvcError
from svc.protocol.amount import amount_problem, to_millionths

_MAX_TIMEOUT = 24 * 60 * 60


def check_whole_number(name: str, value: object, most: int | None = None) -> None:
    """Raises SvcError INVALID_REQUEST for a value that is not a whole number from 1 to ``most``."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1 and (most is None or value <= most):
        return
    limits = "of 1 or more" if most is None else f"from 1 to {most}"
    raise SvcError("INVALID_REQUEST", f"{name} must be a whole number {limits}, not {value!r}")


def check_timeout(timeout: object) -> None:
    """Raises SvcError INVALID_REQUEST for a value that is not a number of seconds."""
    # NaN is neither above nor below.
    if isinstance(timeout, int | float) and not isinstance(timeout, bool) and 0 < timeout <= _MAX_TIMEOUT:
        return
    raise SvcError(
        "INVALID_REQUEST", f"timeout must be a number of seconds above 0 and at most {_MAX_TIMEOUT}, not {timeout!r}"
    )


def lowest_amount(*amounts: str | None) -> str | None:
    """The lowest of the amounts that are given.

    Raises:
        SvcError: INVALID_REQUEST for a value that is not an amount
    """
    given = [amount for amount in amounts if amount is not None]
    for amount in given:
        if problem := amount_problem("max_payment", amount):
            raise SvcError("INVALID_REQUEST", problem)
    return min(given, key=lambda amount: to_millionths(amount) or 0, default=None)
