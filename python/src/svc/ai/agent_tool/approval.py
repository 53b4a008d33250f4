"""Decides which calls a human has to approve."""

import inspect
from typing import Any

from svc.ai.agent_tool.options import Rules
from svc.ai.agent_tool.price_limits import is_above
from svc.protocol.http import ResolveResponse
from svc.tools import Tools
from svc.tools.definitions import SEARCH_TOOL


async def find_approval(client: Tools, name: str, arguments: Any, rules: Rules) -> ResolveResponse | None:
    """The call that a human has to approve before it runs; None if the call needs no approval.

    Raises:
        SvcError: when the call is invalid, or the service cannot be asked.
    """
    needs_approval, ask_above = rules.needs_approval, rules.ask_above
    if name == SEARCH_TOOL or (needs_approval is False and ask_above is None):
        return None
    resolved = await client.resolve(name, arguments)
    action, payload = resolved["action"], resolved["payload"]
    chosen = needs_approval(action["action"], payload, action) if callable(needs_approval) else needs_approval
    if inspect.isawaitable(chosen):
        chosen = await chosen
    destroys = action.get("annotations", {}).get("destructive") and needs_approval is not False
    is_dear = ask_above is not None and is_above(shown_price(resolved), ask_above)
    return resolved if chosen or destroys or is_dear else None


def shown_price(resolved: ResolveResponse) -> str:
    """The most that a call may cost after a human saw this."""
    payment = resolved["action"].get("payment")
    return payment["amount"] if payment else "0"
