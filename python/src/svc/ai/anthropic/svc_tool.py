"""A tool of the API, which a tool runner can call."""

from typing import Any, cast

from anthropic.lib.tools import BetaAsyncBuiltinFunctionTool, BetaFunctionToolResultType, ToolError

from svc.ai.agent_tool import AgentTool
from svc.ai.anthropic.content import to_content


class SvcTool(dict[str, Any], BetaAsyncBuiltinFunctionTool):
    """A tool definition in the form of the API, for ``messages.create``; runners of ``AsyncAnthropic`` call it too."""

    def __init__(self, tool: AgentTool) -> None:
        super().__init__(type="custom", name=tool.name, description=tool.description, input_schema=tool.parameters)
        self._tool = tool

    def to_dict(self) -> Any:
        return dict(self)

    async def call(self, input: object) -> BetaFunctionToolResultType:  # noqa: A002
        """The content of a ``tool_result``.

        Raises:
            ToolError: its content is JSON for the model.
        """
        # A runner passes the arguments alone, so each of its calls counts as a new one.
        answer = await self._tool.answer(input)
        content = cast(BetaFunctionToolResultType, to_content(answer))
        if answer.error is not None:
            raise ToolError(content)
        return content
