"""A graph's question to a human, and the answer.

Shape: the ``HITLRequest`` and ``HITLResponse`` of LangChain's ``HumanInTheLoopMiddleware``, with ids.
"""

from typing import Any, Literal, NotRequired, TypedDict

from svc.protocol.http import JsonSchema, Payment


class ActionRequest(TypedDict):
    """A call that waits for a decision."""

    #: Action id.
    name: str
    #: The decoded payload.
    args: dict[str, Any]
    #: The description of the action with its price, and below it the call, with escapes for characters that no screen
    #: shows.
    description: str
    tool_call_id: str | None
    #: The most that the approved call costs. Absent: it is free.
    payment: NotRequired[Payment]
    #: The version of the action: an approved call runs only this version.
    version: NotRequired[str]


class ReviewConfig(TypedDict):
    """The decisions about one call."""

    action_name: str
    allowed_decisions: list[Literal["approve", "edit", "reject"]]
    args_schema: JsonSchema


class ApprovalRequest(TypedDict):
    """The value of the interrupt."""

    action_requests: list[ActionRequest]
    review_configs: list[ReviewConfig]


class EditedAction(TypedDict):
    """Another payload for the same action."""

    name: str
    args: dict[str, Any]


class ApprovalDecision(TypedDict):
    """The decision about one call."""

    type: Literal["approve", "edit", "reject"]
    #: The changed call, for ``edit``.
    edited_action: NotRequired[EditedAction]
    #: The message for the model, with ``reject``.
    message: NotRequired[str]


class ApprovalResponse(TypedDict):
    """The value that resumes the graph: one decision for each of ``action_requests``, in their order."""

    decisions: list[ApprovalDecision]
