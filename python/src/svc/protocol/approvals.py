"""Approvals: calls that a person has to decide about before they run. docs/protocol.md, section 12."""

from typing import Any, Literal, NotRequired, TypedDict

#: ``pending``: waits for a decision. ``approved``: will run. ``used``: runs, or has run. ``withdrawn``: something has
#: changed since the question, so the same call asks anew.
ApprovalStatus = Literal["pending", "approved", "used", "denied", "expired", "withdrawn"]
#: ``app``: also the agent key of the call, for an app that asks its own user. Tokens never decide.
ApprovalDecider = Literal["people", "app"]
ApprovalDecision = Literal["approve", "deny"]


class RequiredApproval(TypedDict):
    """``approval`` of the errors APPROVAL_REQUIRED and APPROVAL_DENIED: the question, and what became of it."""

    #: ``apr_…``, also a handle: ``Tools.result`` returns the result once the call has run.
    id: str
    status: ApprovalStatus
    decidedBy: ApprovalDecider
    #: RFC 3339.
    expiresAt: str
    #: The page of the console where people decide. Absent without a console.
    url: NotRequired[str]
    #: This very request made the question. Absent: it was there before.
    isNew: NotRequired[Literal[True]]
    #: Why it was denied, in the words of the person who decided.
    reason: NotRequired[str]


class ResolvedApproval(TypedDict):
    """``approval`` of a resolved call. Without ``Svc-Ask`` it has only ``decidedBy``, and there is no question yet."""

    decidedBy: ApprovalDecider
    id: NotRequired[str]
    status: NotRequired[ApprovalStatus]
    expiresAt: NotRequired[str]
    url: NotRequired[str]
    isNew: NotRequired[Literal[True]]


class ApprovalKey(TypedDict):
    """The agent key of a call."""

    id: str
    name: str


class ApprovalInfo(TypedDict):
    """An approval as those who decide see it. Times are RFC 3339."""

    id: str
    status: ApprovalStatus
    decidedBy: ApprovalDecider
    #: Action id.
    action: str
    #: The whole payload that would run. Absent after the call has ended.
    payload: NotRequired[dict[str, Any]]
    key: ApprovalKey
    #: The user of the call, as its caller names them.
    user: NotRequired[str]
    #: The conversation of the call, as its caller names it.
    session: NotRequired[str]
    #: The most that the call costs.
    payment: NotRequired[dict[str, str]]
    #: The rule that asks. Absent: a default by hint.
    rule: NotRequired[dict[str, Any]]
    createdAt: str
    expiresAt: str
    decidedAt: NotRequired[str]
    #: Name of the person or key.
    decidedByName: NotRequired[str]
    reason: NotRequired[str]
    #: The call that ran.
    invocationId: NotRequired[str]
