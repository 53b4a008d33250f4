"""Approvals: calls that a person has to decide about before they run. docs/protocol.md, section 12."""

from typing import TYPE_CHECKING, Any, Literal, overload

from svc.protocol.answer import Answer

#: ``pending``: waits for a decision. ``approved``: will run. ``used``: runs, or has run. ``withdrawn``: something has
#: changed since the question, so the same call asks anew.
ApprovalStatus = Literal["pending", "approved", "used", "denied", "expired", "withdrawn"]
#: ``app``: also the agent key of the call, for an app that asks its own user. Tokens never decide.
ApprovalDecider = Literal["people", "app"]
ApprovalDecision = Literal["approve", "deny"]


class RequiredApproval(Answer):
    """``approval`` of the errors APPROVAL_REQUIRED and APPROVAL_DENIED: the question, and what became of it."""

    #: ``apr_…``, also a handle: ``Tools.result`` returns the result once the call has run.
    id: str
    status: ApprovalStatus
    decided_by: ApprovalDecider
    #: RFC 3339.
    expires_at: str
    #: The page of the console where people decide. Absent without a console.
    url: str | None
    #: This very request made the question. Absent: it was there before.
    is_new: Literal[True] | None
    #: Why it was denied, in the words of the person who decided.
    reason: str | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["id", "expiresAt", "url", "reason"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["status"], /) -> ApprovalStatus: ...
        @overload
        def __getitem__(self, key: Literal["decidedBy"], /) -> ApprovalDecider: ...
        @overload
        def __getitem__(self, key: Literal["isNew"], /) -> Literal[True]: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class ResolvedApproval(Answer):
    """``approval`` of a resolved call. Without ``Svc-Ask`` it has only ``decidedBy``, and there is no question yet."""

    decided_by: ApprovalDecider
    id: str | None
    status: ApprovalStatus | None
    expires_at: str | None
    url: str | None
    is_new: Literal[True] | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["decidedBy"], /) -> ApprovalDecider: ...
        @overload
        def __getitem__(self, key: Literal["id", "expiresAt", "url"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["status"], /) -> ApprovalStatus: ...
        @overload
        def __getitem__(self, key: Literal["isNew"], /) -> Literal[True]: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class ApprovalKey(Answer):
    """The agent key of a call."""

    id: str
    name: str

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["id", "name"], /) -> str: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class ApprovalInfo(Answer):
    """An approval as those who decide see it. Times are RFC 3339."""

    id: str
    status: ApprovalStatus
    decided_by: ApprovalDecider
    #: Action id.
    action: str
    #: The whole payload that would run. Absent after the call has ended.
    payload: dict[str, Any] | None
    key: ApprovalKey
    #: The user of the call, as its caller names them.
    user: str | None
    #: The conversation of the call, as its caller names it.
    session: str | None
    #: The most that the call costs.
    payment: dict[str, str] | None
    #: The rule that asks. Absent: a default by hint.
    rule: dict[str, Any] | None
    created_at: str
    expires_at: str
    decided_at: str | None
    #: Name of the person or key.
    decided_by_name: str | None
    reason: str | None
    #: The call that ran.
    invocation_id: str | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(
            self,
            key: Literal[
                "id",
                "action",
                "user",
                "session",
                "createdAt",
                "expiresAt",
                "decidedAt",
                "decidedByName",
                "reason",
                "invocationId",
            ],
            /,
        ) -> str: ...
        @overload
        def __getitem__(self, key: Literal["status"], /) -> ApprovalStatus: ...
        @overload
        def __getitem__(self, key: Literal["decidedBy"], /) -> ApprovalDecider: ...
        @overload
        def __getitem__(self, key: Literal["payload", "rule"], /) -> dict[str, Any]: ...
        @overload
        def __getitem__(self, key: Literal["key"], /) -> ApprovalKey: ...
        @overload
        def __getitem__(self, key: Literal["payment"], /) -> dict[str, str]: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...
