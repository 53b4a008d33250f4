"""Asks a client's user about a call that a person has to approve.

Rule: people decide on the page of the console. A form asks the client's user where a rule lets the application decide,
    and the call's agent key decides: no model answers an elicitation.
"""

from typing import Literal

from svc.protocol.approvals import ApprovalDecision, RequiredApproval
from svc.protocol.http import ResolveResponse
from svc.tools.describe_call import describe_call

_PAGE: Literal["approve"] = "approve"
FORM: Literal["decide"] = "decide"
#: More characters than any payload has.
_WHOLE = 100_000_000


def page_question(approval: RequiredApproval) -> dict[str, object]:
    """Empty without a page."""
    if "url" not in approval:
        return {}
    params = {"mode": "url", "message": "A person has to approve this call: on this page", "url": approval["url"]}
    return {_PAGE: {"method": "elicitation/create", "params": params}}


def form_question(resolved: ResolveResponse) -> dict[str, object]:
    """Shows the call as the service understood it: that is what would run."""
    decision = {"type": "string", "title": "Decision", "enum": ["approve", "deny"]}
    params = {
        "mode": "form",
        "message": f"May this run? {describe_call(resolved, _WHOLE)}",
        "requestedSchema": {"type": "object", "properties": {"decision": decision}, "required": ["decision"]},
    }
    return {FORM: {"method": "elicitation/create", "params": params}}


def read_decision(responses: object) -> ApprovalDecision | None:
    """None without an answer to the form. A user who closes it decides nothing."""
    match responses.get(FORM) if isinstance(responses, dict) else None:
        case {"action": "accept", "content": {"decision": "approve"}}:
            return "approve"
        case {"action": "accept" | "decline"}:
            return "deny"
    return None
