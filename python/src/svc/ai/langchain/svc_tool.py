"""A tool of LangChain."""

from typing import Any, Self

from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr

from svc.ai.agent_tool import AgentTool, run_blocking
from svc.ai.langchain.answer_call import answer_call
from svc.ai.langchain.stream_writer import stream_writer


class SvcTool(BaseTool):
    """Calls of a model get a ``ToolMessage``, also for a failure; other calls get the result, or ``SvcError``."""

    _tool: AgentTool = PrivateAttr()

    @classmethod
    def of(cls, tool: AgentTool) -> Self:
        made = cls(name=tool.name, description=tool.description, args_schema=tool.parameters)
        made._tool = tool
        return made

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Passes the call unchanged. LangChain would not pass its id, and an argument ``config`` would hide the config.

        It does not validate the arguments: the service corrects small mistakes that a schema refuses, and explains the
        others better.
        """
        return (tool_input, tool_call_id), {}

    def _run(self, arguments: Any, tool_call_id: str | None, config: RunnableConfig) -> ToolMessage | str:
        return run_blocking(answer_call(self._tool, arguments, tool_call_id, stream_writer()))

    async def _arun(self, arguments: Any, tool_call_id: str | None, config: RunnableConfig) -> ToolMessage | str:
        return await answer_call(self._tool, arguments, tool_call_id, stream_writer())
