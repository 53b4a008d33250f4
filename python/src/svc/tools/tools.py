"""The agent developer's client: tools that find and run every action, in any agent loop."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, TypedDict, Unpack, overload
from urllib.parse import quote

from svc.errors import SvcError
from svc.protocol.approvals import ApprovalDecision, ApprovalInfo
from svc.protocol.ask import CallerAsk
from svc.protocol.connections import ConfirmedConnection, ConnectPage, Credential
from svc.protocol.content import ContentBlock
from svc.protocol.environment import read_base_url
from svc.protocol.http import (
    APPROVALS_PATH,
    CONFIRM_CONNECTION_PATH,
    CONNECT_SESSIONS_PATH,
    CONNECTION_NAMES_HEADER,
    INVOKE_PATH,
    MIN_RESULT_CHARS,
    RESOLVE_PATH,
    SEARCH_ID_HEADER,
    SEARCH_PATH,
    SESSION_ID_HEADER,
    USER_ID_HEADER,
    CallPayment,
    InvokeResponse,
    Progress,
    ResolveResponse,
    SearchResponse,
    UnfinishedInvocation,
)
from svc.protocol.ids import MAX_IDEMPOTENCY_KEY_CHARS, check_header_text, is_action_id, toolkit_of
from svc.protocol.json_text import quoted
from svc.protocol.program_calls import PROGRAM
from svc.protocol.runs import RUN_PREFIX, RUNS_PATH, CodeRun
from svc.protocol.search_memory import SearchMemory
from svc.protocol.usage import USAGE_PATH
from svc.tools.api_key import ApiKey, KeyFunction
from svc.tools.callbacks import call_back
from svc.tools.caller_approvals import (
    ApprovalAnswer,
    ApprovalMode,
    ApprovalRequiredCallback,
    ApprovalTest,
    ApprovedCall,
    CallerApprovals,
    UnapprovedCall,
)
from svc.tools.caller_connections import (
    CallerConnections,
    ConnectionFunction,
    ConnectionRequiredCallback,
)
from svc.tools.code_runs import RunUser, follow_code_run, read_run, read_run_arguments, run_for_model, run_path
from svc.tools.concurrency import map_concurrent
from svc.tools.credential_header import CredentialHeader
from svc.tools.definitions import (
    INVOKE_TOOL,
    RUN_CODE_TOOL,
    SEARCH_TOOL,
    ToolDefinition,
    fresh_definitions,
    to_chat_completion_tool,
)
from svc.tools.http_client import HttpClient, ServiceRequest
from svc.tools.idempotency_key import idempotency_key_of, own_or_fresh_key
from svc.tools.model_arguments import read_arguments, read_search_arguments
from svc.tools.model_media import model_media
from svc.tools.model_text import to_code_text, to_error_text, to_model_result, to_model_text
from svc.tools.pending_usage import PendingUsage
from svc.tools.questions import kept_answers
from svc.tools.service_answer import AnswerTest, ProgressCallback
from svc.tools.settings import check_timeout, check_whole_number, lowest_amount
from svc.tools.static_tools import static_tools
from svc.tools.tool_answer import ToolAnswer
from svc.tools.tool_calls import ToolCall, read_tool_calls
from svc.tools.unfinished import invocation_path, read_invocation, to_model_value

if TYPE_CHECKING:
    import httpx2

PaymentCallback = Callable[[CallPayment], Awaitable[None] | None]
#: Called with the id of the tool call.
CallProgressCallback = Callable[[Progress, str], Awaitable[None] | None]
CallPaymentCallback = Callable[[CallPayment, str], Awaitable[None] | None]
BlocksCallback = Callable[[Sequence[ContentBlock], object], None]
ResultCallback = Callable[[object, object], None]
MetaCallback = Callable[[dict[str, object]], None]
UnfinishedCallback = Callable[[UnfinishedInvocation], None]

_MAX_CONCURRENCY = 1_000
#: Seconds for the answer to a request that waits.
_ANSWER_TIME = 10
#: The length of ``/n``, which follows the key of a list.
_MAX_LIST_KEY_CHARS = MAX_IDEMPOTENCY_KEY_CHARS - 5


class CallOptions(TypedDict, total=False):
    """Options of one tool call, as in ``Tools.call_tool``."""

    tool_call_id: str | None
    idempotency_key: str | None
    max_payment: str | None
    action_version: str | None
    made_by: Literal["program"] | None
    longest: float | None
    ask: CallerAsk | None
    is_approved: ApprovalTest | None
    wait: float | None
    handle: str | None
    on_progress: ProgressCallback | None
    on_payment: PaymentCallback | None


class Tools:
    """Finds and runs actions.

    ```python
    async with Tools() as tools:
        completion = await openai.chat.completions.create(
            model=model, messages=messages, tools=await tools.get_tools()
        )
        message = completion.choices[0].message
        messages += [message, *await tools.call_tools(message.tool_calls)]
    ```

    A cancelled task of a call (``asyncio.timeout``, a task group) cancels the handler too.
    """

    def __init__(
        self,
        api_key: str | KeyFunction | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 60.0,
        concurrency: int = 10,
        max_result_chars: int = 40_000,
        max_search_tokens: int | None = None,
        max_payment: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        connections: ConnectionFunction | None = None,
        connection_names: Mapping[str, str] | None = None,
        on_connection_required: ConnectionRequiredCallback | None = None,
        approvals: ApprovalMode = "report",
        on_approval_required: ApprovalRequiredCallback | None = None,
        code: bool = False,
        http_client: "httpx2.AsyncClient | None" = None,
    ) -> None:
        """Makes no network call.

        Args:
            api_key: agent key, ``svc_agent_…``, or agent token, ``svc_token_…``. Default: ``SVC_AGENT_API_KEY``. A
                function, plain or asynchronous, is called when the key is first needed, and again when the service
                refuses an expired one.
            base_url: address of the service. Default: ``SVC_BASE_URL``, then ``http://127.0.0.1:8787``.
            timeout: seconds that one call may take, retries included. The service has a limit of its own.
            concurrency: tool calls of one ``call_tools`` that run at a time.
            max_result_chars: characters of one result that a model gets at once. A longer result says how to read on.
            max_search_tokens: tokens (o200k_base) of the answer to one search, 100 to 20,000. Default: 1,200.
            max_payment: the most that one call may cost, such as ``"0.05"``, in the service's currency. Default: the
                budget of the key.
            user_id: your id of the end user, 1 to 200 visible ASCII characters. Handlers get the id as ``ctx.user_id``,
                handlers of other owners an id for their toolkit only. The service records the id with searches and
                calls.
            session_id: your id of the conversation, as ``user_id``, for a view of the session.
            connections: ``(toolkit, user_id)``, plain or asynchronous: returns the user's credential for a toolkit that
                takes one from its caller, ``{"bearer": token}``, ``{"basic": {"username": …, "password": …}}`` or
                ``{"apiKey": key}``; None if there is none. Called for each call of such a toolkit, never for others.
            connection_names: which connection to use, by toolkit id, where a user has several: ``{"github": "work"}``.
            on_connection_required: called, plain or asynchronous, with ``{"toolkit", "help", "url", "expiresAt",
                "confirm", "userId"}`` when a user has to connect an account on the page ``url``, once for each toolkit
                of a ``call_tools``. True: the user has connected it, and the call is made again. Otherwise the model
                reads that the user was asked. Default: the model reads the link.
            approvals: ``report``: for a call that a person has to approve first, the model reads what to do next.
                ``wait``: the call waits for the decision within its ``timeout``.
            on_approval_required: called, plain or asynchronous, when a rule lets the application decide about a call
                (``decidedBy: "app"``), with ``{"id", "action", "payload", "userId", "expiresAt", …}``. Returns
                ``"approve"``, ``"deny"``, or ``{"decision", "reason", "sessionSeconds"}``; None: no decision yet.
                Needs an agent key: a token decides nothing.
            code: adds a third tool, ``run_code``: the service runs a program of the model, whose calls are calls of
                this key. The service must run code, and the key may. docs/code.md.
            http_client: your own client, for proxies and connection pools. It stays open.

        Raises:
            SvcError: INVALID_REQUEST for an invalid option. A missing key fails the first call that needs it.
        """
        check_timeout(timeout)
        check_whole_number("concurrency", concurrency, _MAX_CONCURRENCY)
        check_whole_number("max_result_chars", max_result_chars)
        if max_search_tokens is not None:
            check_whole_number("max_search_tokens", max_search_tokens)
        self._user_id = _checked_id("user_id", user_id)
        self._session_id = _checked_id("session_id", session_id)
        self._connections = CallerConnections(connections, connection_names, on_connection_required)
        self._approvals = CallerApprovals(approvals, on_approval_required)
        self._http = HttpClient(read_base_url(base_url).geturl(), ApiKey(api_key), http_client)
        self._timeout = timeout
        self._concurrency = concurrency
        self._max_result_chars = max_result_chars
        self._max_search_tokens = max_search_tokens
        self._max_payment = lowest_amount(max_payment)
        self._code = code
        # The service's ranking uses only calls that name the search that found their action.
        self._searches = SearchMemory()
        #: Tokens to report with the next request of the session.
        self._usage: PendingUsage | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Sends the reported tokens, and closes the connections. The next call opens new ones."""
        with suppress(SvcError):
            await self.flush_usage()
        await self._http.aclose()

    def for_user(
        self,
        user_id: str,
        *,
        session_id: str | None = None,
        connections: ConnectionFunction | None = None,
        connection_names: Mapping[str, str] | None = None,
        on_connection_required: ConnectionRequiredCallback | None = None,
        approvals: ApprovalMode | None = None,
        on_approval_required: ApprovalRequiredCallback | None = None,
    ) -> Self:
        """The same tools for another user: with this key and these settings, and a search memory of their own.

        A light copy, which needs no ``aclose()``. Options that are not given stay.

        Args:
            user_id: your id of the end user.
            session_id: as in ``Tools``; so are the other options.
            connections: returns the user's credentials.
            connection_names: which connection to use, by toolkit id.
            on_connection_required: asks the user to connect an account.
            approvals: ``report`` or ``wait``.
            on_approval_required: asks the user to approve a call.

        Raises:
            SvcError: INVALID_REQUEST
        """
        tools = copy(self)
        tools._user_id = _checked_id("user_id", user_id)
        tools._session_id = self._session_id if session_id is None else _checked_id("session_id", session_id)
        tools._connections = self._connections.changed(
            give=connections, names=connection_names, on_required=on_connection_required
        )
        tools._approvals = self._approvals.changed(mode=approvals, on_required=on_approval_required)
        tools._searches = SearchMemory()
        tools._usage = None
        return tools

    async def connect_url(
        self, toolkits: Sequence[str], *, user_id: str | None = None, name: str | None = None
    ) -> ConnectPage:
        """A page on which a user connects accounts, or connects them again. Show it to that user only.

        Args:
            toolkits: ids of the toolkits whose accounts may be connected.
            user_id: your id of the user. Default: the user of these tools.
            name: of the new connections, for users with several accounts.
        """
        if isinstance(toolkits, str):
            raise SvcError("INVALID_REQUEST", "toolkits is a list of ids")
        body = {"userId": self._named_user(user_id), "toolkits": list(toolkits)}
        if name is not None:
            body["name"] = name
        page = await self._request("POST", CONNECT_SESSIONS_PATH, _is_page, body=body)
        return ConnectPage(page)

    async def confirm_connection(self, code: str, *, user_id: str | None = None) -> ConfirmedConnection:
        """Confirms that a user connected an account: the user of your app whose browser came back with the code, or who
        typed it in your app.

        Args:
            code: of the page, once.
            user_id: the signed-in user of your app, never a user that the browser names. Default: the user of these
                tools.

        Raises:
            SvcError: for an unknown code, and for another user, which ends the connection.
        """
        body = {"code": code, "userId": self._named_user(user_id)}
        confirmed = await self._request("POST", CONFIRM_CONNECTION_PATH, _is_confirmed, body=body)
        return ConfirmedConnection(confirmed)

    def definitions(self) -> list[ToolDefinition]:
        """``search_services`` and ``invoke_service``, always the same bytes; with ``code`` also ``run_code``."""
        return fresh_definitions(code=self._code)

    async def get_tools(
        self,
        *,
        dynamic_tools: bool = True,
        static_toolkits: Sequence[str] = (),
        static_actions: Sequence[str] = (),
    ) -> list[dict[str, Any]]:
        """Tools in the shape of OpenAI chat completions. Only static tools need a network call.

        Args:
            dynamic_tools: false leaves out ``search_services`` and ``invoke_service``.
            static_toolkits: toolkit ids, or ``*`` for all: each of their actions becomes a tool of its own.
            static_actions: action ids that become tools of their own.

        Raises:
            SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have; INVALID_REQUEST
                when no tool is chosen.
        """
        definitions = await self.load_definitions(
            dynamic_tools=dynamic_tools, static_toolkits=static_toolkits, static_actions=static_actions
        )
        return [to_chat_completion_tool(definition) for definition in definitions]

    async def load_definitions(
        self,
        *,
        dynamic_tools: bool = True,
        static_toolkits: Sequence[str] = (),
        static_actions: Sequence[str] = (),
    ) -> list[ToolDefinition]:
        """The tools of ``get_tools`` in a neutral shape, with the annotations of static actions."""
        if isinstance(static_toolkits, str) or isinstance(static_actions, str):
            raise SvcError("INVALID_REQUEST", "static_toolkits and static_actions are lists of ids")
        if not dynamic_tools and not static_toolkits and not static_actions:
            raise SvcError(
                "INVALID_REQUEST",
                "dynamic_tools=False leaves no tools; name some with static_toolkits or static_actions",
            )
        chosen = await static_tools(
            static_toolkits, static_actions, lambda path: self._request("GET", path, _has_actions)
        )
        return [*(self.definitions() if dynamic_tools else ()), *chosen]

    async def call_tools(
        self,
        tool_calls: object,
        *,
        idempotency_key: str | None = None,
        on_progress: CallProgressCallback | None = None,
        on_payment: CallPaymentCallback | None = None,
    ) -> list[dict[str, Any]]:
        """Answers a model's ``message.tool_calls``: one message for each call, in order. A failure is an answer too.

        Args:
            tool_calls: dictionaries, or the objects of openai, litellm and pydantic; ``None`` and ``[]`` give ``[]``.
            idempotency_key: 1 to 250 visible ASCII characters: call n of the list, from 0, has the key
                ``<idempotency_key>/<n>``.
            on_progress: called with the progress and the id of the tool call.
            on_payment: called for each result of a paid action, with the id of the tool call.

        Raises:
            SvcError: INVALID_REQUEST for a value that is not a list of tool calls, or an invalid ``idempotency_key``.
        """
        calls = read_tool_calls(tool_calls)
        answers = await self.answer_calls(
            calls, idempotency_key=idempotency_key, on_progress=on_progress, on_payment=on_payment
        )
        return [
            {"role": "tool", "tool_call_id": call.id, "content": answered.content}
            for call, answered in zip(calls, answers, strict=True)
        ]

    async def answer_calls(
        self,
        calls: Sequence[ToolCall],
        *,
        idempotency_key: str | None = None,
        on_progress: CallProgressCallback | None = None,
        on_payment: CallPaymentCallback | None = None,
    ) -> list[ToolAnswer]:
        """``call_tools`` for calls of another API: one answer for each call, in order. A failure is an answer too.

        Raises:
            SvcError: INVALID_REQUEST for an invalid ``idempotency_key``.
        """
        if idempotency_key is not None:
            check_header_text("idempotency_key", idempotency_key, _MAX_LIST_KEY_CHARS)

        def answer(call: ToolCall, index: int) -> Awaitable[ToolAnswer]:
            return self.answer_tool(
                call.name,
                call.arguments,
                tool_call_id=call.id,
                made_by=call.made_by,
                longest=call.longest,
                idempotency_key=None if idempotency_key is None else f"{idempotency_key}/{index}",
                on_progress=on_progress and (lambda progress: on_progress(progress, call.id)),
                on_payment=on_payment and (lambda payment: on_payment(payment, call.id)),
            )

        with kept_answers():
            return await map_concurrent(calls, self._concurrency, answer)

    async def answer_tool(self, name: str, arguments: object, **options: Unpack[CallOptions]) -> ToolAnswer:
        """Answers one tool call. A failure is an answer too: for frameworks that take an error as text.

        Args:
            name: ``search_services``, ``invoke_service``, ``run_code`` or an action id.
            arguments: the model's arguments, as an object or as JSON text.
            **options: as in ``call_tool``.
        """
        on_payment = options.get("on_payment")
        blocks: Sequence[ContentBlock] = ()
        shown: object = None
        whole: tuple[object, object] | None = None
        payment: CallPayment | None = None
        meta: dict[str, object] | None = None

        unfinished: UnfinishedInvocation | None = None

        def keep_unfinished(call: UnfinishedInvocation) -> None:
            nonlocal unfinished
            unfinished = call

        def keep_meta(of_result: dict[str, object]) -> None:
            nonlocal meta
            meta = of_result

        def keep_blocks(of_result: Sequence[ContentBlock], value: object) -> None:
            nonlocal blocks, shown
            blocks, shown = of_result, value

        def keep_result(result: object, value: object) -> None:
            nonlocal whole
            whole = (result, value)

        async def keep_payment(paid: CallPayment) -> None:
            nonlocal payment
            payment = paid
            await call_back(on_payment, paid)

        try:
            # A subclass may override `call_tool` to ask a human or to change a result.
            options["on_payment"] = keep_payment
            value = await self.call_tool(
                name,
                arguments,
                on_blocks=keep_blocks,
                on_result=keep_result,
                on_meta=keep_meta,
                on_unfinished=keep_unfinished,
                **options,
            )
        except SvcError as error:
            content = to_error_text(error, self._max_result_chars)
            return ToolAnswer(value={"error": error.to_json()}, content=content, error=error)
        # A subclass may have changed the result, and its blocks would still show the removed parts.
        blocks = blocks if shown is value else ()
        is_whole = whole is not None and whole[1] is value
        result = whole[0] if whole is not None and is_whole else None
        by_program = options.get("made_by") == PROGRAM
        return ToolAnswer(
            value=value,
            content=to_code_text(result if is_whole and not blocks else value) if by_program else to_model_text(value),
            blocks=blocks,
            media=model_media(blocks),
            result=result,
            meta=meta if is_whole else None,
            payment=payment,
            unfinished=unfinished,
        )

    async def call_tool(
        self,
        name: str,
        arguments: object,
        *,
        tool_call_id: str | None = None,
        idempotency_key: str | None = None,
        max_payment: str | None = None,
        action_version: str | None = None,
        made_by: Literal["program"] | None = None,
        longest: float | None = None,
        ask: CallerAsk | None = None,
        is_approved: ApprovalTest | None = None,
        wait: float | None = None,
        handle: str | None = None,
        on_progress: ProgressCallback | None = None,
        on_blocks: BlocksCallback | None = None,
        on_result: ResultCallback | None = None,
        on_meta: MetaCallback | None = None,
        on_payment: PaymentCallback | None = None,
        on_unfinished: UnfinishedCallback | None = None,
    ) -> Any:
        """Runs one tool call, for frameworks that take an error as an exception.

        Args:
            name: ``search_services``, ``invoke_service`` or an action id.
            arguments: the model's arguments, as an object or as JSON text.
            tool_call_id: the model's id of the call. With a globally unique id the same call runs once, even if
                another process makes it again.
            idempotency_key: 1 to 255 visible ASCII characters, in place of a key made from ``tool_call_id``. A search
                takes none and runs again.
            max_payment: the most that this call may cost. The lower limit counts, of this and of the client's.
            action_version: the ``version`` that ``resolve`` returned: the call runs this version of the action, or is
                refused with ACTION_CHANGED. ``"none"``, after ``resolve`` was refused: the call runs nothing, and
                returns the outcome that an earlier call with its key left, if there is one.
            made_by: ``"program"``: a program of the model's provider made the call. The service refuses a call that
                such a program may not make with CALL_DIRECTLY. The text of its answer is the JSON of the result alone.
            longest: the most seconds that this call may take. The lower limit counts, of this and of the client's.
            ask: the calls that your user has to approve, as the service sees this call when it runs: ``{"destructive":
                True, "above": "0.50"}``, or ``{"always": True}``. Adapters set it.
            is_approved: called with a question that the application decides about. True: your user has approved exactly
                this question, so it is decided, and the call is made again.
            wait: seconds after which a call of a long action returns its handle. Default: shortly before the time of
                the call is over.
            handle: the handle of a call that goes on: this returns its outcome, after at most ``wait`` seconds, and
                calls nothing.
            on_progress: called with the progress of the handler.
            on_blocks: called for a result that is more than JSON, with its content blocks and the value that is
                returned for it.
            on_result: called for the result of an action, without notes and blocks, and with the value that is
                returned for it.
            on_meta: called for ``_meta`` of a result, which is for MCP clients.
            on_payment: called for the result of a paid action. The model does not read the payment.
            on_unfinished: called for a call that goes on without its caller. The model reads its handle.

        Returns:
            JSON for the model; a text if the result is longer than ``max_result_chars``; words in place of images and
            files.

        Raises:
            SvcError: its ``to_json()`` is for the model.
        """
        is_code = name == RUN_CODE_TOOL and self._code
        if name not in (SEARCH_TOOL, INVOKE_TOOL) and not is_code and not is_action_id(name):
            raise SvcError(
                "UNKNOWN_TOOL",
                f"There is no tool {quoted(name)}. Find actions with {SEARCH_TOOL}, run one with {INVOKE_TOOL}.",
            )
        read = read_arguments(name, arguments)
        if name == SEARCH_TOOL:
            query, limit = read_search_arguments(read)
            return await self.search(query, limit=limit)
        max_chars = self._max_result_chars
        key = idempotency_key_of(idempotency_key, tool_call_id=tool_call_id, tool=name, arguments=read)
        if is_code:
            code, run = read_run_arguments(read)
            ended = await self._run(code, run, idempotency_key=key, max_payment=max_payment, ask=ask)
            shown = to_model_result(run_for_model(ended, self._approvals, self._connections), max_chars)
            if on_result is not None:
                on_result(shown.result, shown.value)
            if shown.blocks and on_blocks is not None:
                on_blocks(shown.blocks, shown.value)
            return shown.value
        if handle is not None:
            response = await self.result(handle, wait=int(wait or 0))
        else:
            response = await self._invoke(
                _invoke_body(name, read),
                idempotency_key=key,
                max_result_chars=max_chars if max_chars >= MIN_RESULT_CHARS else None,
                max_payment=max_payment,
                action_version=action_version,
                made_by=made_by,
                timeout=None if longest is None else min(longest, self._timeout),
                on_progress=on_progress,
                ask=ask,
                is_approved=is_approved,
                takes_handle="later",
                wait=wait,
                for_model=True,
            )
        if isinstance(response, UnfinishedInvocation):
            if on_unfinished is not None:
                on_unfinished(response)
            return to_model_value(response)
        result = to_model_result(response, max_chars)
        if on_result is not None:
            on_result(result.result, result.value)
        if result.blocks and on_blocks is not None:
            on_blocks(result.blocks, result.value)
        if on_meta is not None and (meta := response.meta):
            on_meta(meta)
        if payment := response.payment:
            await call_back(on_payment, payment)
        return result.value

    async def resolve(self, name: str, arguments: object, *, ask: CallerAsk | None = None) -> ResolveResponse:
        """Returns the action, the payload and the price of a tool call without running it, for a decision before the
        call.

        Args:
            name: ``invoke_service`` or an action id.
            arguments: the model's arguments, as an object or as JSON text.
            ask: as in ``call_tool``. The service makes the question about such a call, for a decision later.

        Raises:
            SvcError: the same error as the call for this action and payload.
        """
        return await self._resolve(_invoke_body(name, read_arguments(name, arguments)), self._user_id, ask)

    async def search(self, query: str, *, limit: int | None = None, max_tokens: int | None = None) -> SearchResponse:
        """Finds actions for a need in plain words, best first: the best few in full, the others by name.

        Args:
            query: the wanted action in plain words, or an exact action or toolkit id.
            limit: maximum number of actions, in full or by name, 1 to 50. Default: 10.
            max_tokens: tokens of the answer. Default: ``max_search_tokens`` of the client.
        """
        search_id: str | None = None

        def keep_id(headers: Mapping[str, str]) -> None:
            nonlocal search_id
            search_id = headers.get(SEARCH_ID_HEADER)

        wishes = {"limit": limit, "maxTokens": self._max_search_tokens if max_tokens is None else max_tokens}
        answer = await self._request(
            "POST",
            SEARCH_PATH,
            _has_actions,
            body={"query": query, **{name: wish for name, wish in wishes.items() if wish is not None}},
            search_id=self._searches.newest,
            caller_headers=self._caller_headers(self._user_id),
            on_headers=keep_id,
        )
        found = SearchResponse(answer)
        if search_id is not None:
            self._searches.add(search_id, [action.action for action in (*found.actions, *(found.more or ()))])
        return found

    @overload
    async def invoke(
        self,
        action: str,
        payload: object = None,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        max_payment: str | None = None,
        action_version: str | None = None,
        made_by: Literal["program"] | None = None,
        user_id: str | None = None,
        connection: Credential | None = None,
        connection_name: str | None = None,
        on_progress: ProgressCallback | None = None,
        wait: Literal[True] = True,
    ) -> InvokeResponse: ...

    @overload
    async def invoke(
        self,
        action: str,
        payload: object = None,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        max_payment: str | None = None,
        action_version: str | None = None,
        made_by: Literal["program"] | None = None,
        user_id: str | None = None,
        connection: Credential | None = None,
        connection_name: str | None = None,
        on_progress: ProgressCallback | None = None,
        wait: bool,
    ) -> InvokeResponse | UnfinishedInvocation: ...

    async def invoke(
        self,
        action: str,
        payload: object = None,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        max_payment: str | None = None,
        action_version: str | None = None,
        made_by: Literal["program"] | None = None,
        user_id: str | None = None,
        connection: Credential | None = None,
        connection_name: str | None = None,
        on_progress: ProgressCallback | None = None,
        wait: bool = True,
    ) -> InvokeResponse | UnfinishedInvocation:
        """Runs an action.

        Args:
            action: its id, ``<toolkit id>__<action name>``.
            payload: a JSON object. Default: ``{}``.
            timeout: seconds that this call may take, retries included.
            idempotency_key: 1 to 255 visible ASCII characters: within 24 hours the same key and payload return the
                first result and run nothing.
            max_payment: the most that this call may cost. The lower limit counts, of this and of the client's.
            action_version: the ``version`` that ``resolve`` returned: the call runs this version of the action, or is
                refused with ACTION_CHANGED. ``"none"``, after ``resolve`` was refused: the call runs nothing, and
                returns the outcome that an earlier call with its key left, if there is one.
            made_by: ``"program"``: a program of the model's provider made the call. The service refuses a call that
                such a program may not make with CALL_DIRECTLY.
            user_id: the user of this call, in place of the user of these tools.
            connection: the credential of this call, in place of one of ``connections``.
            connection_name: the connection to use, in place of one of ``connection_names``.
            on_progress: called with the progress of the handler.
            wait: False: the call goes on, and this returns ``{"invocationId", "status"}``, a handle for ``result``; the
                result of a call that has ended before. ``timeout`` is then the deadline of the call; default: the
                longest of the service.

        Raises:
            SvcError: such as INVALID_PAYLOAD, ACTION_FAILED, APPROVAL_REQUIRED, INVOCATION_TIMEOUT.
        """
        toolkit = toolkit_of(action)
        if toolkit is None and (connection is not None or connection_name is not None):
            raise SvcError(
                "INVALID_REQUEST", f"{quoted(action)} is not the id of an action, <toolkit id>__<action name>"
            )
        if timeout is not None:
            check_timeout(timeout)
        return await self._invoke(
            {"action": action} if payload is None else {"action": action, "payload": payload},
            user_id=_checked_id("user_id", user_id),
            credential=None if connection is None else CredentialHeader(str(toolkit), connection),
            connection_name=connection_name,
            timeout=timeout if wait else None,
            idempotency_key=own_or_fresh_key(idempotency_key),
            max_payment=max_payment,
            action_version=action_version,
            made_by=made_by,
            on_progress=on_progress,
            takes_handle=None if wait else "now",
            deadline=timeout,
        )

    async def run_code(
        self,
        code: str,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        max_payment: str | None = None,
    ) -> CodeRun:
        """Runs a program at the service, the body of an async function in JavaScript, whose calls are calls of this
        key: docs/code.md.

        Args:
            code: the program, at most 100,000 characters.
            timeout: seconds to wait for the end. Default: that of these tools. The run goes on after it.
            idempotency_key: names the run: the same key attaches to it.
            max_payment: the most that each call of the program may cost.

        Returns:
            the end of the run; or how far it is, when the time is over or it waits for a person.

        Raises:
            SvcError: ACTION_NOT_ALLOWED when the service or the key runs no code.
        """
        key = own_or_fresh_key(idempotency_key)
        return await self._run(code, None, timeout=timeout, idempotency_key=key, max_payment=max_payment)

    async def code_run(self, run: str, *, timeout: float | None = None) -> CodeRun:
        """A run that has not ended, as in ``run_code``.

        Args:
            run: its id, ``run_…``.
            timeout: seconds to wait for the end.
        """
        return await self._run(None, run, timeout=timeout)

    async def _run(
        self,
        code: str | None,
        run: str | None,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        max_payment: str | None = None,
        ask: CallerAsk | None = None,
    ) -> CodeRun:
        timeout = self._timeout if timeout is None else timeout
        check_timeout(timeout)

        async def follow(run: str, wait: float) -> CodeRun:
            found = await self._request(
                "GET",
                run_path(run),
                _is_run,
                timeout=wait + _ANSWER_TIME,
                takes_handle="later",
                outlives_request=True,
                wait=wait,
            )
            return read_run(found)

        started = time.monotonic()
        if run is not None:
            first = await follow(run, 0)
        else:
            begun = await self._request(
                "POST",
                RUNS_PATH,
                _is_run,
                body={"code": code},
                timeout=timeout,
                takes_handle="later",
                outlives_request=True,
                idempotency_key=idempotency_key,
                max_payment=lowest_amount(self._max_payment, max_payment),
                ask=ask,
                search_id=self._searches.newest,
                caller_headers={
                    **self._caller_headers(self._user_id),
                    CONNECTION_NAMES_HEADER: self._connections.names_with(None, None),
                },
            )
            first = read_run(begun)

        def unapproved(describe: Callable[[], Awaitable[ApprovedCall]]) -> UnapprovedCall:
            return UnapprovedCall(
                timeout=timeout,
                for_model=True,
                is_approved=None,
                describe=describe,
                decide=self._decide,
                follow=self._follow,
            )

        user = RunUser(
            user_id=self._user_id, approvals=self._approvals, connections=self._connections, unapproved=unapproved
        )
        return await follow_code_run(first, follow, user, timeout - (time.monotonic() - started))

    async def result(self, handle: str, *, wait: int = 0) -> InvokeResponse | UnfinishedInvocation:
        """The result of a call that goes on without its caller.

        Args:
            handle: ``invocationId`` of ``invoke(…, wait=False)``, or the id of an approval.
            wait: seconds to wait for the result, 0 to 60.

        Returns:
            the result; ``{"invocationId", "status", "progress"}`` while there is none.

        Raises:
            SvcError: the error of the call; APPROVAL_DENIED; NOT_FOUND for a call of another key or user.
        """
        return await self._follow(handle, wait, max(self._timeout, wait + _ANSWER_TIME))

    async def _follow(self, handle: str, wait: int, timeout: float) -> InvokeResponse | UnfinishedInvocation:
        found = await self._request("GET", invocation_path(handle, wait), _is_invoked, timeout=timeout)
        return read_invocation(found)

    async def cancel(self, handle: str) -> None:
        """Cancels a call that goes on without its caller, or a run of code. Has no effect on one that has ended.

        Args:
            handle: as in ``result``, or the id of a run.
        """
        is_run = isinstance(handle, str) and handle.startswith(RUN_PREFIX)
        await self._request("DELETE", run_path(handle) if is_run else invocation_path(handle), _is_nothing)

    async def report_usage(
        self, model: str, *, input_tokens: int, output_tokens: int, cached_tokens: int | None = None
    ) -> None:
        """Adds tokens that your model used to the records of the session.

        They go along with the next search or call, or alone after 2 s, and with ``aclose()``. An ``Agent`` does this by
        itself.

        Args:
            model: the model's name, as you want to see it in the records.
            input_tokens: all tokens of the input, those of the cache too.
            output_tokens: the tokens of the answer.
            cached_tokens: the part of the input that the provider read from its cache.

        Raises:
            SvcError: INVALID_REQUEST for an invalid number, or without ``session_id``.
        """
        if self._session_id is None:
            raise SvcError("INVALID_REQUEST", "Tokens are reported for a session: Tools(session_id=…)")
        if self._usage is None:
            self._usage = PendingUsage(self._send_usage)
        self._usage.add(model, input_tokens, output_tokens, cached_tokens)

    async def flush_usage(self) -> None:
        """Sends the reported tokens now, such as at the end of a conversation.

        Raises:
            SvcError
        """
        if self._usage:
            await self._usage.flush()

    async def _send_usage(self, headers: dict[str, str]) -> object:
        own = {**self._caller_headers(self._user_id), **headers}
        return await self._http.request(
            ServiceRequest(
                method="POST", path=USAGE_PATH, is_answer=_is_nothing, timeout=self._timeout, caller_headers=own
            )
        )

    async def decide_approval(
        self,
        approval_id: str,
        decision: ApprovalDecision,
        *,
        reason: str | None = None,
        session_seconds: int | None = None,
    ) -> ApprovalInfo:
        """Decides about a call of this key, for an application that asks its own user. A rule has to allow it.

        Args:
            approval_id: ``apr_…``.
            decision: ``approve`` or ``deny``.
            reason: the model reads it.
            session_seconds: with ``approve``: later calls of the action in the same session need no further approval
                for so many seconds, at most 86,400.

        Raises:
            SvcError: CONFLICT if it was decided before; NOT_PERMITTED if only people may decide.
        """
        answer: ApprovalAnswer = {"decision": decision}
        if reason is not None:
            answer["reason"] = reason
        if session_seconds is not None:
            answer["sessionSeconds"] = session_seconds
        return await self._decide(approval_id, answer)

    async def _decide(self, approval_id: str, answer: ApprovalAnswer) -> ApprovalInfo:
        path = f"{APPROVALS_PATH}/{quote(approval_id, safe='')}"
        return ApprovalInfo(await self._request("POST", path, _is_approval, body=answer))

    async def _resolve(self, body: object, user_id: str | None, ask: CallerAsk | None = None) -> ResolveResponse:
        headers = self._caller_headers(user_id)

        def send(credential: CredentialHeader | None) -> Awaitable[Any]:
            return self._request(
                "POST",
                RESOLVE_PATH,
                _is_resolved,
                body=body,
                ask=ask,
                # The call runs by the question that this makes.
                search_id=None if ask is None else self._searches.that_showed(_action_in(body)),
                caller_headers=headers,
                credential=credential,
            )

        if ask is None:
            return ResolveResponse(await send(None))
        # The question is about the account that the call uses.
        action = _action_in(body)
        headers[CONNECTION_NAMES_HEADER] = self._connections.names_with(toolkit_of(action), None)
        return ResolveResponse(await self._connections.call(action, user_id, None, send))

    async def _invoke(
        self,
        body: object,
        *,
        max_payment: str | None,
        action_version: str | None,
        user_id: str | None = None,
        credential: CredentialHeader | None = None,
        connection_name: str | None = None,
        timeout: float | None = None,
        for_model: bool = False,
        is_approved: ApprovalTest | None = None,
        **options: Any,
    ) -> InvokeResponse | UnfinishedInvocation:
        if action_version is not None:
            check_header_text("action_version", action_version)
        timeout = self._timeout if timeout is None else timeout
        check_timeout(timeout)
        action = _action_in(body)
        user = self._user_id if user_id is None else user_id
        headers = self._caller_headers(user)
        headers[CONNECTION_NAMES_HEADER] = self._connections.names_with(toolkit_of(action), connection_name)

        async def describe() -> ApprovedCall:
            resolved = await self._resolve(body, user)
            return {"action": resolved["action"]["action"], "payload": resolved["payload"], "userId": user}

        unapproved = UnapprovedCall(
            timeout=timeout,
            for_model=for_model,
            is_approved=is_approved,
            describe=describe,
            decide=self._decide,
            follow=self._follow,
        )

        def send(credential: CredentialHeader | None) -> Awaitable[Any]:
            def send_once(timeout: float) -> Awaitable[Any]:
                return self._request(
                    "POST",
                    INVOKE_PATH,
                    _is_invoked,
                    body=body,
                    timeout=timeout,
                    search_id=self._searches.that_showed(action),
                    max_payment=lowest_amount(self._max_payment, max_payment),
                    action_version=action_version,
                    caller_headers=headers,
                    credential=credential,
                    **options,
                )

            return self._approvals.call(unapproved, send_once)

        answer = await self._connections.call(action, user, credential, send)
        return read_invocation(answer)

    def _caller_headers(self, user_id: str | None) -> dict[str, str | None]:
        return {USER_ID_HEADER: user_id, SESSION_ID_HEADER: self._session_id}

    def _named_user(self, user_id: str | None) -> str:
        user = self._user_id if user_id is None else _checked_id("user_id", user_id)
        if user is None:
            raise SvcError("INVALID_REQUEST", "An account belongs to a user: pass user_id=…, your id of the user")
        return user

    async def _request(
        self,
        method: str,
        path: str,
        is_answer: AnswerTest,
        *,
        timeout: float | None = None,
        **options: Any,
    ) -> Any:
        if timeout is None:
            timeout = self._timeout
        check_timeout(timeout)
        request = ServiceRequest(method=method, path=path, is_answer=is_answer, timeout=timeout, **options)
        # Searches and calls have headers of their caller.
        if self._usage is None or not request.caller_headers:
            return await self._http.request(request)

        def send(headers: dict[str, str]) -> Awaitable[Any]:
            return self._http.request(replace(request, caller_headers={**request.caller_headers, **headers}))

        return await self._usage.send_with(send)


def _checked_id(name: str, text: str | None) -> str | None:
    if text is not None:
        check_header_text(name, text)
    return text


def _invoke_body(tool: str, arguments: object) -> object:
    """The arguments of ``invoke_service`` are sent unchanged, because the service corrects small mistakes for every
    client.
    """
    return arguments if tool == INVOKE_TOOL else {"action": tool, "payload": arguments}


def _action_in(body: object) -> object:
    return body.get("action") if isinstance(body, dict) else None


def _has_actions(answer: object) -> bool:
    return isinstance(answer, dict) and isinstance(answer.get("actions"), list)


def _is_invoked(answer: object) -> bool:
    return isinstance(answer, dict) and isinstance(answer.get("invocationId"), str)


def _is_run(answer: object) -> bool:
    return isinstance(answer, dict) and isinstance(answer.get("run"), str)


def _is_nothing(answer: object) -> bool:
    return answer is None


def _is_approval(answer: object) -> bool:
    return isinstance(answer, dict) and isinstance(answer.get("id"), str)


def _is_resolved(answer: object) -> bool:
    if not isinstance(answer, dict):
        return False
    return isinstance(answer.get("action"), dict) and isinstance(answer.get("payload"), dict)


def _is_page(answer: object) -> bool:
    return isinstance(answer, dict) and isinstance(answer.get("url"), str)


def _is_confirmed(answer: object) -> bool:
    return isinstance(answer, dict) and isinstance(answer.get("toolkit"), str)
