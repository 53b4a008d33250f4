"""The agent side of the wire: paths, headers, and the JSON documents of the service as they are. docs/protocol.md."""

from typing import Any, Literal, NotRequired, TypedDict, final

from svc.protocol.approvals import RequiredApproval, ResolvedApproval

SEARCH_PATH = "/v1/search"
INVOKE_PATH = "/v1/invoke"
RESOLVE_PATH = "/v1/resolve"
ACTIONS_PATH = "/v1/actions"
#: Calls that run longer than their request, by their handle.
INVOCATIONS_PATH = "/v1/invocations"
#: Calls that a person has to decide about.
APPROVALS_PATH = "/v1/approvals"
CONNECT_SESSIONS_PATH = "/v1/connections/sessions"
CONFIRM_CONNECTION_PATH = "/v1/connections/confirm"
#: WebSocket upgrade for toolkits.
TOOLKIT_PATH = "/v1/toolkit"

IDEMPOTENCY_KEY_HEADER = "idempotency-key"
#: RFC 7240. ``respond-async``: the service answers 202 with a handle, and the call goes on. With ``wait=<seconds>``:
#: after that time, and only for an action that is declared ``long``.
PREFER_HEADER = "prefer"
TIMEOUT_HEADER = "svc-timeout-ms"
MAX_RESULT_CHARS_HEADER = "svc-max-result-chars"
SEARCH_ID_HEADER = "svc-search-id"
MAX_PAYMENT_HEADER = "svc-max-payment"
ACTION_VERSION_HEADER = "svc-action-version"
#: ``svc.protocol.ask`` writes it.
ASK_HEADER = "svc-ask"
USER_ID_HEADER = "svc-user-id"
CONNECTIONS_HEADER = "svc-connections"
CONNECTION_NAMES_HEADER = "svc-connection-names"
SESSION_ID_HEADER = "svc-session-id"
#: ``program``: a program of the model's provider made the call.
CALLER_HEADER = "svc-caller"

#: A version that no action has. A call with this version runs nothing and returns only a kept outcome.
NO_ACTION_VERSION = "none"

#: The minimum of ``svc-max-result-chars``: the note about the cut needs some characters.
MIN_RESULT_CHARS = 1_000

JsonSchema = dict[str, Any]


class ActionAnnotations(TypedDict, total=False):
    """Hints for people and programs that decide whether to ask before a call; as in MCP. Absent means unknown."""

    #: The action changes nothing.
    readOnly: bool
    #: The action may destroy or overwrite data.
    destructive: bool
    #: A second run with the same payload has no further effect.
    idempotent: bool
    #: The action uses systems outside of the toolkit's own data, such as the web.
    openWorld: bool


class Payment(TypedDict):
    """A price: a decimal text and its currency."""

    amount: str
    currency: str


class CallPayment(TypedDict):
    """The cost of a call: ``authorised`` is the limit, ``charged`` is the cost."""

    authorised: str
    charged: str
    currency: str


class ActionInfo(TypedDict):
    """An action in the form that agents read."""

    #: ``<toolkit id>__<action name>``
    action: str
    description: str
    payloadSchema: JsonSchema
    annotations: NotRequired[ActionAnnotations]
    #: The most that one call costs. Absent: the action is free.
    payment: NotRequired[Payment]


class FoundAction(ActionInfo):
    """An action that a search shows in full."""

    #: The result as a type on one line: ``{id:int, note?:string|null}[]``. Absent: unknown, or the token budget was
    #: short.
    result: NotRequired[str]
    #: JSON Schema of the result. Only for an action that was asked for by its exact id.
    resultSchema: NotRequired[JsonSchema]
    #: The description is cut, or the schema is reduced. A search for the exact id returns the whole action.
    shortened: NotRequired[Literal[True]]


class MoreAction(TypedDict):
    """An action that a search only names."""

    action: str
    description: NotRequired[str]
    #: Id of an action whose description mentions this action.
    mentionedBy: NotRequired[str]


class SearchResponse(TypedDict):
    """The answer to a search. Third parties write descriptions and schemas: they are data."""

    actions: list[FoundAction]
    more: NotRequired[list[MoreAction]]
    #: Ids of further matching actions whose toolkit has no process now.
    offline: NotRequired[list[str]]
    #: A suggestion for the next search.
    hint: NotRequired[str]


class CutSizes(TypedDict):
    """The sizes of a result that the service cut."""

    totalBytes: int
    keptBytes: int


@final
class InvokeResponse(TypedDict):
    """The answer to a call that succeeded."""

    invocationId: str
    #: The handler's JSON.
    result: Any
    #: MCP content blocks beside the result, in order.
    content: NotRequired[list[dict[str, Any]]]
    #: ``_meta`` of the result for MCP clients, which no model reads.
    meta: NotRequired[dict[str, Any]]
    #: Corrected mistakes of the model, one sentence each.
    repaired: NotRequired[list[str]]
    #: The result exceeds the service's limit: ``result`` is the beginning of its text.
    cut: NotRequired[CutSizes]
    #: The stored answer of an earlier call with the same idempotency key.
    replayed: NotRequired[bool]
    #: Present for a paid action.
    payment: NotRequired[CallPayment]


class Progress(TypedDict):
    """The progress of a call, as in MCP."""

    progress: float
    total: NotRequired[float]
    message: NotRequired[str]


@final
class UnfinishedInvocation(TypedDict):
    """The answer about a call that goes on without its caller, while there is no result."""

    #: The handle: ``inv_…``, or the id of the approval, ``apr_…``.
    invocationId: str
    #: ``waiting``: for a person's decision.
    status: Literal["running", "waiting"]
    #: The newest report of the handler.
    progress: NotRequired[Progress]
    #: Present while the call waits.
    approval: NotRequired[RequiredApproval]


class ResolveResponse(TypedDict):
    """The call that an invoke with the same arguments would run now."""

    action: ActionInfo
    #: The handler's payload, decoded and checked.
    payload: dict[str, Any]
    repaired: NotRequired[list[str]]
    #: The version of the action: with it as ``action_version``, the call runs this action or none. Absent from services
    #: before 0.14.
    version: NotRequired[str]
    #: Present if a person has to approve the call.
    approval: NotRequired[ResolvedApproval]
