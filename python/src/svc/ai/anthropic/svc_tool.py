"""A tool of the API, which a tool runner can call."""

from typing import cast

from anthropic.lib.tools import BetaAsyncBuiltinFunctionTool, BetaFunctionToolResultType, ToolError
from anthropic.types.beta import BetaToolUnionParam

from svc.ai.agent_tool import AgentTool
from svc.ai.anthropic.content import to_content
from svc.ai.anthropic.recursive import is_recursive

#: The API's own tool that runs programs.
CODE_EXECUTION = {"type": "code_execution_20260120", "name": "code_execution"}
#: The service could not refuse a program's call of an action that must not run twice.
_NEEDS_LOOP = (
    "Not run: with programmatic=True, tools need a loop of your own with call_tools and next_request, because a tool "
    "runner does not say which calls a program made"
)


class SvcTool(dict[str, object], BetaAsyncBuiltinFunctionTool):
    """A tool definition in the form of the API, for ``messages.create``; runners of ``AsyncAnthropic`` call it too."""

    def __init__(self, tool: AgentTool) -> None:
        # The API refuses a request with a recursive tool for programs.
        program = None if is_recursive(tool.parameters) else tool.program
        description = tool.description if program is None else program.description
        super().__init__(type="custom", name=tool.name, description=description, input_schema=tool.parameters)
        if program is not None:
            self["allowed_callers"] = ["direct", CODE_EXECUTION["type"]]
        self._tool = tool

    def to_dict(self) -> BetaToolUnionParam:
        return cast(BetaToolUnionParam, dict(self))

    async def call(self, input: object) -> BetaFunctionToolResultType:  # noqa: A002
        """The content of a ``tool_result``.

        Raises:
            ToolError: its content is JSON for the model.
        """
        if "allowed_callers" in self:
            raise ToolError(_NEEDS_LOOP)
        # A runner passes the arguments alone, so each of its calls counts as a new one.
        answer = await self._tool.answer(input)
        content = cast(BetaFunctionToolResultType, to_content(answer))
        if answer.error is not None:
            raise ToolError(content)
        return content
