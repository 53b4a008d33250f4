"""One client's connection: its requests, their answers and their cancellation.

Shape: the first request but ``server/discover`` decides for the whole connection: with a revision in its ``_meta`` it
    is 2026-07-28, without handshake; any other one is a revision with a handshake, 2024-11-05 to 2025-11-25.
Source: https://modelcontextprotocol.io/specification, revisions 2024-11-05 to 2026-07-28.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from svc.mcp.ask_to_connect import ClientUser
from svc.mcp.client_questions import ClientQuestions
from svc.mcp.log import log
from svc.mcp.mcp_error import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    UNSUPPORTED_PROTOCOL_VERSION,
    McpError,
)
from svc.mcp.message import ClientAnswer, ClientMessage, RequestId, is_request_id, read_message
from svc.mcp.progress import CallProgress
from svc.mcp.server_info import SERVER_INFO
from svc.mcp.tasks import TASKS
from svc.mcp.tool_server import ToolServer
from svc.protocol.http import Progress

_HANDSHAKE_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
_STATELESS_REVISION = "2026-07-28"

_META = "io.modelcontextprotocol/"
_REVISION = f"{_META}protocolVersion"
_CLIENT_CAPABILITIES = f"{_META}clientCapabilities"
_SUBSCRIPTION = f"{_META}subscriptionId"

_TOOLS = {"tools": {"listChanged": True}}
#: The extension of MCP Apps.
_APPS = "io.modelcontextprotocol/ui"
#: A list may change at any time, and it depends on the key.
_CACHE = {"ttlMs": 0, "cacheScope": "private"}


class Connection:
    """Receives lines and sends messages."""

    def __init__(self, server: ToolServer, send: Callable[[dict[str, object]], None]) -> None:
        self._server = server
        self._send = send
        self._stateless: bool | None = None
        self._running: dict[asyncio.Task[None], RequestId] = {}
        #: Requests of 2026-07-28 that listen to changes of the list of tools.
        self._subscriptions: list[RequestId] = []
        self._questions = ClientQuestions(send)
        #: The capability of a client with a handshake.
        self._elicitation: object = None

    def receive(self, line: bytes) -> None:
        """Never raises: an invalid line must not end the other calls."""
        if not line.strip():
            return
        try:
            message = read_message(line)
        except ValueError:
            # The line is not quoted, because it may hold a secret.
            log("A line on stdin is not a message of MCP and was ignored")
            return
        if isinstance(message, ClientAnswer):
            self._questions.answered(message)
            return
        if message.id is None:
            self._notified(message)
            return
        task = asyncio.get_running_loop().create_task(self._answer(message, message.id))
        self._running[task] = message.id
        task.add_done_callback(self._running.pop)

    def _notified(self, message: ClientMessage) -> None:
        if message.method != "notifications/cancelled":
            return
        request = message.params.get("requestId")
        self._subscriptions = [each for each in self._subscriptions if each != request]
        for task in [task for task, running in self._running.items() if running == request]:
            task.cancel()

    async def _answer(self, message: ClientMessage, request: RequestId) -> None:
        try:
            if self._is_stateless(message):
                result = await self._handle_stateless(message, request)
            else:
                result = await self._handle_with_handshake(message)
            if result is not None:
                self._send({"jsonrpc": "2.0", "id": request, "result": result})
        except McpError as error:
            self._send({"jsonrpc": "2.0", "id": request, "error": error.to_json()})
        except Exception as error:
            log(f"{message.method} failed: {type(error).__name__}: {error}")
            failed = McpError(INTERNAL_ERROR, "Internal error of svc-tools-mcp; its log has the reason")
            self._send({"jsonrpc": "2.0", "id": request, "error": failed.to_json()})

    def _is_stateless(self, message: ClientMessage) -> bool:
        if self._stateless is False:
            return False
        revision = message.meta.get(_REVISION)
        if revision is None and self._stateless is None:
            self._stateless = False
            return False
        if revision is None and message.method != "initialize":
            raise McpError(
                INVALID_PARAMS,
                f"Request is missing the required _meta envelope for protocol revision {_STATELESS_REVISION} "
                f"({_REVISION}, {_CLIENT_CAPABILITIES})",
            )
        if revision != _STATELESS_REVISION:
            requested = message.params.get("protocolVersion") if revision is None else revision
            raise McpError(
                UNSUPPORTED_PROTOCOL_VERSION,
                f"Unsupported protocol version: {requested}",
                {"supported": [_STATELESS_REVISION], "requested": requested},
            )
        if not isinstance(message.meta.get(_CLIENT_CAPABILITIES), dict):
            raise McpError(
                INVALID_PARAMS,
                f"Invalid _meta envelope for protocol revision {_STATELESS_REVISION}: {_CLIENT_CAPABILITIES}: missing",
                {"envelope": {"key": _CLIENT_CAPABILITIES, "problem": "missing"}},
            )
        # A client may send this request before the handshake.
        if message.method != "server/discover":
            self._stateless = True
        return True

    async def _handle_with_handshake(self, message: ClientMessage) -> dict[str, object]:
        match message.method:
            case "initialize":
                wished = message.params.get("protocolVersion")
                revision = wished if wished in _HANDSHAKE_REVISIONS else _HANDSHAKE_REVISIONS[-1]
                self._elicitation = _elicitation_of(message.params.get("capabilities"))
                return {
                    "protocolVersion": revision,
                    "capabilities": self._capabilities({}),
                    "serverInfo": SERVER_INFO,
                    **self._instructions(),
                }
            case "ping":
                return {}
            case "tools/list":
                return {"tools": await self._server.list_tools()}
            case "tools/call":
                user = ClientUser(elicitation=self._elicitation)
                while "inputRequests" in (result := await self._call_tool(message, user)):
                    responses = await self._questions.ask(result["inputRequests"])
                    user = ClientUser(elicitation=self._elicitation, responses=responses)
                return result
            case "resources/list" | "resources/templates/list" | "resources/read" if self._server.may_have_static:
                return await self._answer_about_pages(message)
        raise McpError(METHOD_NOT_FOUND, "Method not found")

    async def _handle_stateless(self, message: ClientMessage, request: RequestId) -> dict[str, object] | None:
        """None for a subscription, whose request stays open."""
        match message.method:
            case "server/discover":
                about = {"supportedVersions": [_STATELESS_REVISION], "capabilities": self._capabilities({TASKS: {}})}
                return _complete({**about, **self._instructions(), **_CACHE})
            case "subscriptions/listen":
                self._subscribe(message, request)
                return None
            case "tools/list":
                return _complete({"tools": await self._server.list_tools(), **_CACHE})
            case "tools/call":
                return _complete(await self._call_tool(message, _stateless_user(message)))
            case "tasks/get":
                return _complete(await self._server.task(_task_id_of(message), _stateless_user(message)))
            case "tasks/cancel":
                await self._server.cancel_task(_task_id_of(message))
                return _complete({})
            case "tasks/update":
                # People decide on the page of a question: its answer here says nothing.
                _task_id_of(message)
                return _complete({})
            case "resources/list" | "resources/templates/list" | "resources/read" if self._server.may_have_static:
                return _complete({**await self._answer_about_pages(message), **_CACHE})
        raise McpError(METHOD_NOT_FOUND, "Method not found")

    def _capabilities(self, extensions: dict[str, object]) -> dict[str, object]:
        # Static tools may be MCP Apps.
        resources: dict[str, object] = {"resources": {}} if self._server.may_have_static else {}
        offered = {**extensions, **({_APPS: {}} if resources else {})}
        return {**_TOOLS, **resources, **({"extensions": offered} if offered else {})}

    async def _answer_about_pages(self, message: ClientMessage) -> dict[str, object]:
        if message.method == "resources/list":
            return {"resources": await self._server.list_pages()}
        if message.method == "resources/templates/list":
            return {"resourceTemplates": []}
        uri = message.params.get("uri")
        if not isinstance(uri, str):
            raise McpError(INVALID_PARAMS, "Invalid resources/read request: `uri` must be a text")
        return await self._server.read_page(uri)

    def _instructions(self) -> dict[str, str]:
        instructions = self._server.instructions
        return {} if instructions is None else {"instructions": instructions}

    def _subscribe(self, message: ClientMessage, request: RequestId) -> None:
        wishes = message.params.get("notifications")
        if not isinstance(wishes, dict):
            raise McpError(
                INVALID_PARAMS, "Invalid params: 'notifications' is required and must be a valid SubscriptionFilter"
            )
        accepted = {"toolsListChanged": True} if wishes.get("toolsListChanged") is True else {}
        if accepted:
            self._subscriptions.append(request)
        self._notify(
            "notifications/subscriptions/acknowledged", {"notifications": accepted, "_meta": {_SUBSCRIPTION: request}}
        )

    async def _call_tool(self, message: ClientMessage, user: ClientUser) -> dict[str, Any]:
        name = message.params.get("name")
        if not isinstance(name, str):
            raise McpError(INVALID_PARAMS, "Invalid tools/call request: `name` must be a text")
        progress = self._start_progress(message.meta.get("progressToken"))
        try:
            return await self._server.call_tool(
                name,
                # Models also send null, lists and texts, and an error of the protocol would not reach the model.
                message.params.get("arguments"),
                tool_call_id=message.tool_call_id,
                on_progress=progress.report if progress else None,
                on_changed=self._list_changed,
                user=user,
            )
        finally:
            if progress:
                progress.end()

    def _start_progress(self, token: object) -> CallProgress | None:
        """Sends progress to a client that requested it."""
        if not is_request_id(token):
            return None

        def send(report: Progress) -> None:
            self._notify("notifications/progress", {**report, "progressToken": token})

        return CallProgress(send)

    def _list_changed(self) -> None:
        method = "notifications/tools/list_changed"
        if not self._stateless:
            self._notify(method)
        for subscription in self._subscriptions:
            self._notify(method, {"_meta": {_SUBSCRIPTION: subscription}})

    def _notify(self, method: str, params: dict[str, object] | None = None) -> None:
        self._send({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})


def _complete(result: dict[str, Any]) -> dict[str, Any]:
    """The result in the shape of revision 2026-07-28."""
    meta = {**result.get("_meta", {}), f"{_META}serverInfo": SERVER_INFO}
    return {"resultType": "complete", **result, "_meta": meta}


def _stateless_user(message: ClientMessage) -> ClientUser:
    """The user of a client of revision 2026-07-28."""
    capabilities = message.meta.get(_CLIENT_CAPABILITIES)
    extensions = capabilities.get("extensions") if isinstance(capabilities, dict) else None
    return ClientUser(
        elicitation=_elicitation_of(capabilities),
        responses=message.params.get("inputResponses"),
        has_rounds=True,
        has_tasks=isinstance(extensions, dict) and TASKS in extensions,
        state=message.params.get("requestState"),
    )


def _task_id_of(message: ClientMessage) -> str:
    task_id = message.params.get("taskId")
    if not isinstance(task_id, str):
        raise McpError(INVALID_PARAMS, f"Invalid {message.method} request: `taskId` must be a text")
    return task_id


def _elicitation_of(capabilities: object) -> object:
    return capabilities.get("elicitation") if isinstance(capabilities, dict) else None
