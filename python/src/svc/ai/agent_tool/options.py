"""The options of every adapter, read and checked."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from svc.errors import SvcError
from svc.protocol.amount import amount_problem
from svc.protocol.http import ActionInfo
from svc.tools import SyncTools, Tools
from svc.tools.api_key import KeyFunction
from svc.tools.caller_connections import ConnectionFunction, ConnectionRequiredCallback

if TYPE_CHECKING:
    import httpx2

#: The calls that need the approval of a human: ``True`` for every call, ``False`` for none. A function, plain or
#: asynchronous, chooses calls in addition to the calls of actions that are declared ``destructive``. Its arguments are
#: the decoded action id and payload of the run. Default: only calls of ``destructive`` actions.
NeedsApproval = bool | Callable[[str, dict[str, Any], ActionInfo], bool | Awaitable[bool]]


class ClientOptions(TypedDict, total=False):
    """The options of a new ``Tools``, described there."""

    api_key: str | KeyFunction | None
    base_url: str | None
    timeout: float
    concurrency: int
    max_result_chars: int
    max_search_tokens: int | None
    max_payment: str | None
    user_id: str | None
    session_id: str | None
    connections: ConnectionFunction | None
    connection_names: Mapping[str, str] | None
    on_connection_required: ConnectionRequiredCallback | None
    http_client: "httpx2.AsyncClient | None"


class SvcToolsOptionsWithoutApproval(ClientOptions):
    """The options of an adapter whose framework has no approval before a call."""

    #: True sends images and PDFs of results to the model, which must be able to see. Default: words in their place.
    images: NotRequired[bool]
    #: True lets programs call the tools: code that the model writes and its provider runs. They may search, and call
    #: actions that are ``readOnly``, or ``idempotent`` and not ``destructive``, if no human has to approve the call.
    #: For the Responses API, Anthropic, the OpenAI Agents SDK and LangChain; the other adapters refuse it. Default:
    #: False. docs/adapters.md.
    programmatic: NotRequired[bool]


class SvcToolsOptions(SvcToolsOptionsWithoutApproval):
    """The options of an adapter."""

    needs_approval: NotRequired[NeedsApproval | None]
    #: Calls of actions with a higher price than this amount, such as ``"0.50"``, need the approval of a human too;
    #: also with ``needs_approval=False``. Default: a price alone needs no approval.
    ask_above: NotRequired[str | None]


class Selection(TypedDict, total=False):
    """The choice of static tools; ``Tools.get_tools`` explains it."""

    dynamic_tools: bool
    static_toolkits: Sequence[str]
    static_actions: Sequence[str]


class LoadSvcToolsOptionsWithoutApproval(SvcToolsOptionsWithoutApproval, Selection):
    """The same with static tools."""


class LoadSvcToolsOptions(SvcToolsOptions, Selection):
    """The same with static tools."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The options that hold for each tool."""

    needs_approval: NeedsApproval | None
    ask_above: str | None
    images: bool
    programmatic: bool


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options with their ``Tools``."""

    client: Tools
    rules: Rules
    selection: Selection


def read_options(
    tools: Tools | SyncTools | None,
    options: Mapping[str, Any],
    *,
    without_approval: str | None = None,
    programs: bool = False,
) -> ReadOptions:
    """The options, checked.

    Args:
        tools: a ``Tools`` or ``SyncTools`` to share, in place of the options of a new one.
        options: of ``svc_tools`` or ``load_svc_tools``.
        without_approval: the name of a framework that has no approval before a call.
        programs: the API behind the framework lets programs of the model call tools.

    Raises:
        SvcError: INVALID_REQUEST for options that exclude each other, and for ``needs_approval`` and ``ask_above``
            where they would have no effect.
        TypeError: an option with a name that does not exist.
    """
    rest = dict(options)
    rules = Rules(
        needs_approval=rest.pop("needs_approval", None),
        ask_above=rest.pop("ask_above", None),
        images=rest.pop("images", False),
        programmatic=rest.pop("programmatic", False),
    )
    if rules.programmatic and not programs:
        raise SvcError(
            "INVALID_REQUEST", "programmatic has no effect here: no API behind these tools lets programs call them"
        )
    selection = Selection(**{name: rest.pop(name) for name in Selection.__annotations__ if name in rest})  # type: ignore[typeddict-item]
    if rules.ask_above is not None and (problem := amount_problem("ask_above", rules.ask_above)):
        raise SvcError("INVALID_REQUEST", problem)
    if without_approval is not None:
        _refuse_approval(without_approval, rules)
        rules = replace(rules, needs_approval=False)
    if tools is None:
        return ReadOptions(Tools(**rest), rules, selection)
    client = tools.async_tools if isinstance(tools, SyncTools) else tools
    if not isinstance(client, Tools):
        raise SvcError("INVALID_REQUEST", f"tools must be a Tools, not {type(tools).__name__}; keys go into api_key")
    if rest:
        raise SvcError("INVALID_REQUEST", f"Give tools or {', '.join(rest)}, not both")
    return ReadOptions(client, rules, selection)


def _refuse_approval(framework: str, rules: Rules) -> None:
    option = "needs_approval" if rules.needs_approval else "ask_above" if rules.ask_above is not None else None
    if option is not None:
        raise SvcError(
            "INVALID_REQUEST",
            f"{framework} has no approval before a call, so {option} has no effect: ask in your own loop with "
            "`tools.resolve()`, or use a key that may not run such actions",
        )
