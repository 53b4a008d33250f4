"""The tools of one process: lists and calls them, independent of JSON-RPC.

Static tools are loaded when a client lists its tools, and when it calls a tool that is not loaded yet.
"""

from collections.abc import Callable

from svc.errors import SvcError
from svc.mcp.answer_call import CallAnswerer
from svc.mcp.ask_to_connect import ClientUser
from svc.mcp.environment import ToolSelection
from svc.mcp.held_call import is_of_look
from svc.mcp.resources import pages_of, read_page, refused
from svc.mcp.tasks import detailed_task, parts_of, refused_task, unknown_task
from svc.mcp.tool import not_offered, to_error_result, to_mcp_tool
from svc.protocol.http import Progress
from svc.tools.definitions import ToolDefinition
from svc.tools.tools import Tools

_INSTRUCTIONS = (
    "Find actions for live data, other services, files, messages and computations with search_services, run one with "
    "invoke_service. Search before you say that you cannot do something."
)

#: A tool that shows user and model why static tools are missing: clients show the list of tools to the user, and
#: models read it.
_MISSING_TOOLS = "missing_tools"


class ToolServer:
    """The selected tools of a service, or the reason why there are none."""

    def __init__(self, tools: Tools | SvcError, selection: ToolSelection) -> None:
        self._tools = tools
        self._selection = selection
        self._answerer = CallAnswerer()
        self._dynamic = tools.definitions() if isinstance(tools, Tools) and selection.dynamic_tools else []
        self._loaded: list[ToolDefinition] = []

    @property
    def instructions(self) -> str | None:
        """Instructions for the model; None without dynamic tools."""
        return _INSTRUCTIONS if self._dynamic else None

    @property
    def may_have_static(self) -> bool:
        chosen = self._selection
        return bool(chosen.static_toolkits or chosen.static_actions)

    async def list_pages(self) -> list[dict[str, object]]:
        """The pages of the static tools.

        Raises:
            McpError: when the tools cannot be loaded.
        """
        try:
            return pages_of(await self._load())
        except SvcError as error:
            raise refused(error) from error

    async def read_page(self, uri: str) -> dict[str, object]:
        """The contents of a page.

        Raises:
            McpError: for a page that the key may not read, and for a failure.
        """
        if isinstance(self._tools, SvcError):
            raise refused(self._tools)
        return await read_page(self._tools, uri)

    async def list_tools(self) -> list[dict[str, object]]:
        try:
            static = [to_mcp_tool(definition) for definition in await self._load()]
        except SvcError as error:
            static = [_missing_tools(error)]
        return [*map(to_mcp_tool, self._dynamic), *static]

    async def call_tool(
        self,
        name: str,
        arguments: object,
        *,
        tool_call_id: str,
        on_progress: Callable[[Progress], None] | None,
        on_changed: Callable[[], None],
        user: ClientUser,
    ) -> dict[str, object]:
        """The result. A failure is a result too. With ``resultType`` ``input_required`` the call waits for its user.

        Args:
            name: of a tool of the list.
            arguments: the model's, as its client sent them.
            tool_call_id: the model's, or else the id of the request.
            on_progress: called with the progress of the handler.
            on_changed: called when missing tools are available again.
            user: the user of the client, for accounts that a call needs.

        Raises:
            McpError: for a tool that is not offered.
        """
        try:
            if name == _MISSING_TOOLS:
                found = await self._load()
                on_changed()
                text = f"They can be used again: {', '.join(tool['name'] for tool in found)}"
                return {"content": [{"type": "text", "text": text}]}
            tool = await self._find(name)
            if tool is None:
                raise not_offered(name, dynamic_tools=bool(self._dynamic))
            return await self._answerer.answer(
                self._ready(), tool, arguments, tool_call_id=tool_call_id, on_progress=on_progress, user=user
            )
        except SvcError as error:
            # The error of a call is part of its answer; this error is of loading or connecting.
            return to_error_result(error)

    async def task(self, task_id: str, user: ClientUser) -> dict[str, object]:
        """How far the call of a task is.

        Raises:
            McpError: for an unknown task, and for a service that cannot be asked.
        """
        handle, name = parts_of(task_id)
        try:
            tool = await self._find(name)
            if tool is None or not handle:
                raise unknown_task()
            answer = await self._ready().answer_tool(tool["name"], None, handle=handle)
        except SvcError as error:
            raise refused_task(error) from error
        if answer.error and is_of_look(answer.error):
            raise refused_task(answer.error)
        return detailed_task(task_id, tool, answer, user)

    async def cancel_task(self, task_id: str) -> None:
        """Cancels the call of a task. Has no effect on one that has ended.

        Raises:
            McpError: for an unknown task, and for a service that cannot be asked.
        """
        handle, _ = parts_of(task_id)
        if not handle:
            raise unknown_task()
        try:
            await self._ready().cancel(handle)
        except SvcError as error:
            raise refused_task(error) from error

    async def find_problem(self) -> SvcError | None:
        """The error that each call would show to the model."""
        if isinstance(self._tools, SvcError):
            return None
        return (await self._tools.answer_tool("search_services", {"query": "anything", "limit": 1})).error

    async def _find(self, name: str) -> ToolDefinition | None:
        known = next((tool for tool in [*self._dynamic, *self._loaded] if tool["name"] == name), None)
        if known:
            return known
        found = await self._load()
        # The page of an MCP App calls the tools of its own server by their own names.
        own = [tool for tool in found if tool["name"].endswith(f"__{name}")]
        return next((tool for tool in found if tool["name"] == name), own[0] if len(own) == 1 else None)

    async def _load(self) -> list[ToolDefinition]:
        tools, chosen = self._ready(), self._selection
        if chosen.dynamic_tools and not self.may_have_static:
            return []
        self._loaded = await tools.load_definitions(
            dynamic_tools=False, static_toolkits=chosen.static_toolkits, static_actions=chosen.static_actions
        )
        return self._loaded

    def _ready(self) -> Tools:
        if isinstance(self._tools, SvcError):
            raise self._tools
        return self._tools


def _missing_tools(error: SvcError) -> dict[str, object]:
    description = (
        f"Tools are missing here ({error.code}: {error.message}). Tell the user; call this tool to look again."
    )
    return {"name": _MISSING_TOOLS, "description": description, "inputSchema": {"type": "object"}}
