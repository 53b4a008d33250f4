"""The ``Svc-Ask`` header: the caller's own rules about calls that its human approves, such as ``destructive,
above=0.50``. The service asks about such a call as if a rule of the key did, with ``decidedBy: "app"``.

Shape: words, separated by commas.
Source: docs/protocol.md, section 5.
"""

from typing import TypedDict


class CallerAsk(TypedDict, total=False):
    """The calls that a human has to approve."""

    #: Every call.
    always: bool
    #: Calls of actions that are declared ``destructive``.
    destructive: bool
    #: Calls of actions that may cost more than this amount.
    above: str | None


def write_ask(ask: CallerAsk) -> str | None:
    """None for a caller that asks about nothing."""
    above = ask.get("above")
    words = [
        *(["always"] if ask.get("always") else []),
        *(["destructive"] if ask.get("destructive") else []),
        *([] if above is None else [f"above={above}"]),
    ]
    return ", ".join(words) or None
