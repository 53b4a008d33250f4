"""Amounts of money: decimal texts on the wire, such as ``0.05``.

Shape: at most 12 digits before the point and 6 behind it; no sign, no exponent. A text, because 0.1 is not a binary
    fraction.
Units: whole millionths to compare and to add up.
"""

import re

from svc.protocol.json_text import quoted

_AMOUNT = re.compile(r"(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,6}))?")
_DECIMALS = 6
_MILLION = 1_000_000
_MAX_SHOWN_CHARS = 100


def to_millionths(amount: object) -> int | None:
    """The amount in whole millionths; None for a value that is not an amount."""
    digits = _AMOUNT.fullmatch(amount) if isinstance(amount, str) else None
    if not digits:
        return None
    whole, fraction = digits.groups(default="")
    return int(whole) * _MILLION + int(fraction.ljust(_DECIMALS, "0"))


def amount_problem(subject: str, value: object) -> str | None:
    """A sentence that names the correct form; None for an amount."""
    if to_millionths(value) is not None:
        return None
    shown = quoted(value[:_MAX_SHOWN_CHARS]) if isinstance(value, str) else type(value).__name__
    return (
        f"{subject} must be a decimal text with at most 12 digits before the point and 6 behind it, "
        f'such as "0.05", not {shown}'
    )


def price_problem(action: str, payment: object) -> str | None:
    """A sentence that names the correct form of an action's price; None for a valid price."""
    amount = payment.get("amount") if isinstance(payment, dict) else None
    return amount_problem(f'payment["amount"] of action "{action}"', amount)
