"""Validates the charge of a call."""

from svc.errors import SvcError
from svc.protocol.amount import amount_problem, to_millionths
from svc.protocol.http import Payment


def check_charge(amount: object, *, hold: Payment | None, charged: str | None, ended: bool) -> None:
    """Refuses an invalid charge.

    Args:
        amount: the charge.
        hold: the hold of the call; None for a free call.
        charged: an earlier charge of the call.
        ended: the handler has returned.

    Raises:
        SvcError: INVALID_REQUEST, whose message says what to do.
    """
    if ended:
        problem: str | None = "The call has ended: charge before the handler returns"
    elif hold is None:
        problem = "The call is free: give the action a payment to charge for its calls"
    elif charged is not None:
        problem = f"The call is charged {charged} already: add up what it costs, and charge once"
    else:
        problem = amount_problem("The charge", amount) or _above_hold(amount, hold)
    if problem:
        raise SvcError("INVALID_REQUEST", problem)


def _above_hold(amount: object, hold: Payment) -> str | None:
    if (to_millionths(amount) or 0) <= (to_millionths(hold["amount"]) or 0):
        return None
    return (
        f'The charge {amount} is more than ctx.payment["amount"], {hold["amount"]}: charge less, '
        "or raise the payment of the action"
    )
