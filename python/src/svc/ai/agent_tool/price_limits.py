"""Limits of prices, from the decision whether a human has to approve a call until the call runs: the price that the
human saw, or the price up to which nobody is asked. Some frameworks make that decision again after the answer, when
the price may have risen: the lowest price stays.

Shape: tool, call id and beginning of the arguments -> amount. Of more than 1,000 decisions the oldest is forgotten.
"""

from typing import Any

from svc.protocol.amount import to_millionths
from svc.protocol.json_text import from_json
from svc.tools.canonical_json import to_canonical_json

_MAX_DECISIONS = 1_000
_MAX_KEY_CHARS = 1_000

#: One for the process: many programs make new tools for each request, and a human answers in a later one.
_limits: dict[str, str] = {}


def is_above(price: str, limit: str) -> bool:
    """True also for a price that is not an amount."""
    amount, most = to_millionths(price), to_millionths(limit)
    return amount is None or most is None or amount > most


def remember_limit(name: str, tool_call_id: str | None, arguments: Any, limit: str) -> None:
    """The call costs at most ``limit`` when it runs.

    Args:
        tool_call_id: None where the framework does not have it at the decision, or at the call.
    """
    key = _key(name, tool_call_id, arguments)
    earlier = _limits.pop(key, None)
    _limits[key] = earlier if earlier is not None and is_above(limit, earlier) else limit
    if len(_limits) > _MAX_DECISIONS:
        del _limits[next(iter(_limits))]


def take_limit(name: str, tool_call_id: str | None, arguments: Any) -> str | None:
    """None for a call that was decided about elsewhere, or not at all."""
    if not _limits:
        return None
    limit = _limits.pop(_key(name, tool_call_id, arguments), None)
    return limit if limit is not None else _limits.pop(_key(name, None, arguments), None)


def _key(name: str, tool_call_id: str | None, arguments: Any) -> str:
    """The same for arguments as an object and as JSON text: a framework may pass one, then the other."""
    try:
        read = from_json(arguments) if isinstance(arguments, str) else arguments
        return to_canonical_json([name, tool_call_id, read])[:_MAX_KEY_CHARS]
    except (TypeError, ValueError, RecursionError):
        # The service refuses such arguments.
        return to_canonical_json([name, tool_call_id])
