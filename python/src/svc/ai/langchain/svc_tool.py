"""A tool of LangChain."""

from typing import Any, Self

from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr

from svc.ai.agent_tool import AgentTool, failed_answer, run_blocking
from svc.ai.langchain.answer_call import answer_call, failed_message, program_of
from svc.ai.langchain.approval import Approvals
from svc.ai.langchain.graph_task import Call
from svc.ai.langchain.stream_writer import stream_writer
from svc.errors import SvcError


class SvcTool(BaseTool):
    """Calls of a model get a ``ToolMessage``, also for a failure; other calls get the result, or ``SvcError``."""

    _tool: AgentTool = PrivateAttr()
    _approvals: Approvals = PrivateAttr()

    @classmethod
    def all_of(cls, tools: list[AgentTool]) -> list[Self]:
        """The tools, which share one approval."""
        approvals = Approvals(tools)
        return [cls._of(tool, approvals) for tool in tools]

    @classmethod
    def _of(cls, tool: AgentTool, approvals: Approvals) -> Self:
        program = program_of(tool)
        description = tool.description if program is None else program.description
        made = cls(name=tool.name, description=description, args_schema=tool.parameters)
        if program is not None:
            made.extras = {"allowed_callers": ["direct", "code_execution_20260120"]}
        made._tool, made._approvals = tool, approvals
        return made

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, object], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, object]]:
        """Passes the call unchanged. LangChain would not pass its id, and an argument ``config`` would hide the config.

        It does not validate the arguments: the service corrects small mistakes that a schema refuses, and explains the
        others better.
        """
        return (tool_input, tool_call_id), {}

    def _run(self, arguments: object, tool_call_id: str | None, config: RunnableConfig) -> ToolMessage | str:
        return run_blocking(self._answer(arguments, tool_call_id, config, blocking=True))

    async def _arun(self, arguments: object, tool_call_id: str | None, config: RunnableConfig) -> ToolMessage | str:
        return await self._answer(arguments, tool_call_id, config, blocking=False)

    async def _answer(
        self, arguments: object, tool_call_id: str | None, config: RunnableConfig, *, blocking: bool
    ) -> ToolMessage | str:
        tool, write = self._tool, stream_writer()
        try:
            approval = await self._approvals.approve(
                Call(tool_call_id, tool.name, arguments), config, blocking=blocking
            )
        except SvcError as error:
            # Not an exception: LangGraph would end the run.
            if tool_call_id is None:
                raise
            return failed_message(tool, tool_call_id, failed_answer(error).content)
        if approval.declined is not None:
            return failed_message(tool, tool_call_id, approval.declined)
        return await answer_call(tool, approval, tool_call_id, write)
