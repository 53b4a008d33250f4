"""A tool of AutoGen."""

from collections.abc import Mapping
from typing import Any, cast

from autogen_core import CancellationToken
from autogen_core.tools import BaseTool, ParametersSchema, ToolSchema
from pydantic import BaseModel

from svc.ai.agent_tool import AgentTool
from svc.ai.arguments_model import AnyArguments
from svc.errors import SvcError


class SvcTool(BaseTool[AnyArguments, BaseModel]):
    """A tool of AutoGen. Its result is the text for the model."""

    def __init__(self, tool: AgentTool) -> None:
        super().__init__(AnyArguments, BaseModel, tool.name, tool.description)
        self._tool = tool

    @property
    def schema(self) -> ToolSchema:
        parameters = cast(ParametersSchema, self._tool.parameters)
        return ToolSchema(name=self.name, description=self.description, parameters=parameters, strict=False)

    async def run(self, args: AnyArguments, cancellation_token: CancellationToken) -> Any:
        return await self.run_json(args.model_dump(), cancellation_token)

    async def run_json(
        self, args: Mapping[str, object], cancellation_token: CancellationToken, call_id: str | None = None
    ) -> str:
        """Answers the call.

        Raises:
            SvcError: its message is JSON for the model, which AutoGen marks as an error.
        """
        answer = await self._tool.answer(args, tool_call_id=call_id)
        if answer.error is not None:
            raise SvcError(answer.error.code, answer.content, answer.error.details)
        return answer.content
