"""The agent side of the wire: paths, headers, and the JSON documents of the service as they are. docs/protocol.md."""

from typing import TYPE_CHECKING, Any, Literal, TypedDict, overload

from svc.protocol.answer import Answer
from svc.protocol.approvals import RequiredApproval, ResolvedApproval
from svc.protocol.content import ContentBlock

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


class FoundAnnotations(Answer):
    """The annotations of an action as a search shows them. Absent means unknown."""

    read_only: bool | None
    destructive: bool | None
    idempotent: bool | None
    open_world: bool | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["readOnly", "destructive", "idempotent", "openWorld"], /) -> bool: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class Payment(Answer):
    """A price: a decimal text and its currency."""

    amount: str
    currency: str

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["amount", "currency"], /) -> str: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class CallPayment(Answer):
    """The cost of a call: ``authorised`` is the limit, ``charged`` is the cost."""

    authorised: str
    charged: str
    currency: str

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["authorised", "charged", "currency"], /) -> str: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class ActionInfo(Answer):
    """An action in the form that agents read."""

    #: ``<toolkit id>__<action name>``
    action: str
    description: str
    payload_schema: JsonSchema
    annotations: FoundAnnotations | None
    #: The most that one call costs. Absent: the action is free.
    payment: Payment | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["action", "description"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["payloadSchema"], /) -> JsonSchema: ...
        @overload
        def __getitem__(self, key: Literal["annotations"], /) -> FoundAnnotations: ...
        @overload
        def __getitem__(self, key: Literal["payment"], /) -> Payment: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class FoundAction(ActionInfo):
    """An action that a search shows in full."""

    #: The result as a type on one line: ``{id:int, note?:string|null}[]``. Absent: unknown, or the token budget was
    #: short.
    result: str | None
    #: JSON Schema of the result. Only for an action that was asked for by its exact id.
    result_schema: JsonSchema | None
    #: The description is cut, or the schema is reduced. A search for the exact id returns the whole action.
    shortened: Literal[True] | None

    if TYPE_CHECKING:

        @overload  # type: ignore[override] # The keys of the former class, and more.
        def __getitem__(self, key: Literal["action", "description", "result"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["payloadSchema", "resultSchema"], /) -> JsonSchema: ...
        @overload
        def __getitem__(self, key: Literal["annotations"], /) -> FoundAnnotations: ...
        @overload
        def __getitem__(self, key: Literal["payment"], /) -> Payment: ...
        @overload
        def __getitem__(self, key: Literal["shortened"], /) -> Literal[True]: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class MoreAction(Answer):
    """An action that a search only names."""

    action: str
    description: str | None
    #: Id of an action whose description mentions this action.
    mentioned_by: str | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["action", "description", "mentionedBy"], /) -> str: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class SearchResponse(Answer):
    """The answer to a search. Third parties write descriptions and schemas: they are data."""

    actions: list[FoundAction]
    more: list[MoreAction] | None
    #: Ids of further matching actions whose toolkit has no process now.
    offline: list[str] | None
    #: A suggestion for the next search.
    hint: str | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["actions"], /) -> list[FoundAction]: ...
        @overload
        def __getitem__(self, key: Literal["more"], /) -> list[MoreAction]: ...
        @overload
        def __getitem__(self, key: Literal["offline"], /) -> list[str]: ...
        @overload
        def __getitem__(self, key: Literal["hint"], /) -> str: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class CutSizes(Answer):
    """The sizes of a result that the service cut."""

    total_bytes: int
    kept_bytes: int

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["totalBytes", "keptBytes"], /) -> int: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class InvokeResponse(Answer):
    """The answer to a call that succeeded."""

    invocation_id: str
    #: The handler's JSON.
    result: Any
    #: MCP content blocks beside the result, in order.
    content: list[ContentBlock] | None
    #: ``_meta`` of the result for MCP clients, which no model reads.
    meta: dict[str, Any] | None
    #: Corrected mistakes of the model, one sentence each.
    repaired: list[str] | None
    #: The result exceeds the service's limit: ``result`` is the beginning of its text.
    cut: CutSizes | None
    #: The stored answer of an earlier call with the same idempotency key.
    replayed: bool | None
    #: Present for a paid action.
    payment: CallPayment | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["invocationId"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["result"], /) -> Any: ...
        @overload
        def __getitem__(self, key: Literal["content"], /) -> list[ContentBlock]: ...
        @overload
        def __getitem__(self, key: Literal["meta"], /) -> dict[str, Any]: ...
        @overload
        def __getitem__(self, key: Literal["repaired"], /) -> list[str]: ...
        @overload
        def __getitem__(self, key: Literal["cut"], /) -> CutSizes: ...
        @overload
        def __getitem__(self, key: Literal["replayed"], /) -> bool: ...
        @overload
        def __getitem__(self, key: Literal["payment"], /) -> CallPayment: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class Progress(Answer):
    """The progress of a call, as in MCP."""

    progress: float
    total: float | None
    message: str | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["progress", "total"], /) -> float: ...
        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class UnfinishedInvocation(Answer):
    """The answer about a call that goes on without its caller, while there is no result."""

    #: The handle: ``inv_…``, or the id of the approval, ``apr_…``.
    invocation_id: str
    #: ``waiting``: for a person's decision.
    status: Literal["running", "waiting"]
    #: The newest report of the handler.
    progress: Progress | None
    #: Present while the call waits.
    approval: RequiredApproval | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["invocationId"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["running", "waiting"]: ...
        @overload
        def __getitem__(self, key: Literal["progress"], /) -> Progress: ...
        @overload
        def __getitem__(self, key: Literal["approval"], /) -> RequiredApproval: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class ResolveResponse(Answer):
    """The call that an invoke with the same arguments would run now."""

    action: ActionInfo
    #: The handler's payload, decoded and checked.
    payload: dict[str, Any]
    repaired: list[str] | None
    #: The version of the action: with it as ``action_version``, the call runs this action or none. Absent from services
    #: before 0.14.
    version: str | None
    #: Present if a person has to approve the call.
    approval: ResolvedApproval | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["action"], /) -> ActionInfo: ...
        @overload
        def __getitem__(self, key: Literal["payload"], /) -> dict[str, Any]: ...
        @overload
        def __getitem__(self, key: Literal["repaired"], /) -> list[str]: ...
        @overload
        def __getitem__(self, key: Literal["version"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["approval"], /) -> ResolvedApproval: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...
