"""Remembers the limits of a call between its decision and its run: the version of the action at the decision, and the
price that the human saw, or the price up to which no human is asked. Some frameworks decide again after the answer,
when the action may have changed: the first decided version and the lowest price stay.

Shape: tool, call id and beginning of the arguments -> limits, and the number of calls that they cover, because a model
    may write one id twice. At most 1,000 decisions are kept; the oldest is removed first.
"""

from dataclasses import dataclass
from typing import Any, TypedDict

from svc.protocol.amount import to_millionths
from svc.protocol.json_text import from_json
from svc.tools.canonical_json import to_canonical_json

_MAX_DECISIONS = 1_000
_MAX_KEY_CHARS = 1_000


class CallLimits(TypedDict, total=False):
    """Options of the call that follows a decision."""

    max_payment: str | None
    action_version: str | None


@dataclass(slots=True)
class _Decision:
    limits: CallLimits
    calls: int


#: One store for the process: many programs make new tools for each request, and a human answers in a later request.
_decisions: dict[str, _Decision] = {}


def is_above(price: str, limit: str) -> bool:
    """True also for a price that is not an amount."""
    amount, most = to_millionths(price), to_millionths(limit)
    return amount is None or most is None or amount > most


def narrowed(limits: CallLimits, by: CallLimits) -> CallLimits:
    """The lower price, and the version of ``limits`` if it has one."""
    most, other = limits.get("max_payment"), by.get("max_payment")
    is_lower = other is not None and (most is None or is_above(most, other))
    version = limits.get("action_version")
    return {
        "max_payment": other if is_lower else most,
        "action_version": by.get("action_version") if version is None else version,
    }


def remember_decision(name: str, tool_call_id: str | None, arguments: Any, limits: CallLimits) -> None:
    """The call runs no more than ``limits`` allow.

    Args:
        tool_call_id: None where the framework does not have it at the decision, or at the call.
    """
    key = _key(name, tool_call_id, arguments)
    earlier = _decisions.pop(key, None)
    # A repeated decision without an id counts as the same call, not as a second one.
    calls = earlier.calls + 1 if earlier is not None and tool_call_id is not None else 1
    _decisions[key] = _Decision(limits if earlier is None else narrowed(earlier.limits, limits), calls)
    if len(_decisions) > _MAX_DECISIONS:
        del _decisions[next(iter(_decisions))]


def take_decision(name: str, tool_call_id: str | None, arguments: Any) -> CallLimits:
    """Empty for a call without a decision in this process."""
    if not _decisions:
        return {}
    for key in (_key(name, tool_call_id, arguments), _key(name, None, arguments)):
        if decision := _decisions.get(key):
            decision.calls -= 1
            if decision.calls == 0:
                del _decisions[key]
            return decision.limits
    return {}


def _key(name: str, tool_call_id: str | None, arguments: Any) -> str:
    """The same for arguments as an object and as JSON text: a framework may pass an object to the decision and text to
    the call.
    """
    try:
        read = from_json(arguments) if isinstance(arguments, str) else arguments
        return to_canonical_json([name, tool_call_id, read])[:_MAX_KEY_CHARS]
    except (TypeError, ValueError, RecursionError):
        # The service refuses such arguments.
        return to_canonical_json([name, tool_call_id])
