"""Decides which calls a human has to approve."""

import inspect
from dataclasses import dataclass
from typing import Any

from svc.ai.agent_tool.decisions import CallLimits, is_above
from svc.ai.agent_tool.options import Rules
from svc.errors import SvcError
from svc.protocol.http import NO_ACTION_VERSION, ResolveResponse
from svc.tools import Tools
from svc.tools.definitions import SEARCH_TOOL

#: The service refuses a call with one of these errors before it runs. Any other error says nothing about the effect of
#: the call.
_REFUSED_BEFORE_RUN = frozenset(
    {
        "INVALID_REQUEST",
        "INVALID_PAYLOAD",
        "REQUEST_TOO_LARGE",
        "ACTION_NOT_FOUND",
        "ACTION_NOT_ALLOWED",
        "INVALID_KEY",
        "KEY_EXPIRED",
        "KEY_REVOKED",
        "WRONG_KEY_KIND",
        "PAYMENT_REQUIRED",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The decision about a call: whether a human has to approve it, and the limits of its run.

    Attributes:
        needed: the call that a human has to approve before it runs. None: it needs no approval.
        call_options: for the call that follows, with or without an approval. The call runs the action that this
            decision saw, for at most its price, or for ``ask_above`` if no human has to be asked; after a refusal it
            runs nothing.
    """

    needed: ResolveResponse | None
    call_options: CallLimits


async def decide(client: Tools, name: str, arguments: Any, rules: Rules) -> Decision:
    """Decides about one call.

    Raises:
        SvcError: when the service cannot be asked.
    """
    if name == SEARCH_TOOL or (rules.needs_approval is False and rules.ask_above is None):
        return Decision(needed=None, call_options={})
    try:
        resolved = await client.resolve(name, arguments)
    except SvcError as error:
        if error.code not in _REFUSED_BEFORE_RUN:
            raise
        # The run of the call returns this error, or the kept result of an earlier run, to the model. A human must see a
        # price first.
        most = "0" if error.code == "PAYMENT_REQUIRED" else rules.ask_above
        return Decision(needed=None, call_options={"max_payment": most, "action_version": NO_ACTION_VERSION})
    needs_human = await _needs_human(resolved, rules)
    most = _shown_price(resolved) if needs_human else rules.ask_above
    limits: CallLimits = {"max_payment": most, "action_version": resolved.get("version")}
    return Decision(needed=resolved if needs_human else None, call_options=limits)


async def _needs_human(resolved: ResolveResponse, rules: Rules) -> bool:
    needs_approval, ask_above = rules.needs_approval, rules.ask_above
    action, payload = resolved["action"], resolved["payload"]
    chosen = needs_approval(action["action"], payload, action) if callable(needs_approval) else needs_approval
    if inspect.isawaitable(chosen):
        chosen = await chosen
    destroys = action.get("annotations", {}).get("destructive") and needs_approval is not False
    is_dear = ask_above is not None and is_above(_shown_price(resolved), ask_above)
    return bool(chosen or destroys or is_dear)


def _shown_price(resolved: ResolveResponse) -> str:
    """The most that a call may cost after a human saw this price."""
    payment = resolved["action"].get("payment")
    return payment["amount"] if payment else "0"
