"""AutoGen: ``AssistantAgent("assistant", model_client, tools=svc_tools(), max_tool_iterations=20)``.

Translation only; search, retries and limits are the client's.
"""

from collections.abc import Mapping
from typing import Any, Unpack, cast

from svc.ai.agent_tool import (
    AgentTool,
    LoadSvcToolsOptionsWithoutApproval,
    SvcToolsOptionsWithoutApproval,
    agent_tools,
    load_agent_tools,
    read_options,
)
from svc.ai.framework import framework
from svc.errors import SvcError
from svc.tools import Tools

with framework("AutoGen", "autogen"):
    from autogen_core import CancellationToken
    from autogen_core.tools import BaseTool, ParametersSchema, ToolSchema
    from pydantic import BaseModel

    from svc.ai.arguments_model import AnyArguments

__all__ = ["SvcTool", "load_svc_tools", "svc_tools"]

_NAME = "AutoGen"


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
        self, args: Mapping[str, Any], cancellation_token: CancellationToken, call_id: str | None = None
    ) -> Any:
        """Answers the call.

        Raises:
            SvcError: its message is JSON for the model, which AutoGen marks as an error.
        """
        answer = await self._tool.answer(args, tool_call_id=call_id)
        if answer.error is not None:
            raise SvcError(answer.error.code, answer.content, answer.error.details)
        return answer.content


def svc_tools(tools: Tools | None = None, **options: Unpack[SvcToolsOptionsWithoutApproval]) -> list[SvcTool]:
    """``search_services`` and ``invoke_service`` as AutoGen tools. Makes no network call.

    Args:
        tools: a ``Tools`` to share.
        options: of a new one; ``api_key`` defaults to ``SVC_AGENT_API_KEY``.
    """
    return [SvcTool(tool) for tool in agent_tools(read_options(tools, options, without_approval=_NAME))]


async def load_svc_tools(
    tools: Tools | None = None, **options: Unpack[LoadSvcToolsOptionsWithoutApproval]
) -> list[SvcTool]:
    """The same with static toolkits and actions, each a tool of its own, named by its action id.

    Raises:
        SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have.
    """
    return [SvcTool(tool) for tool in await load_agent_tools(read_options(tools, options, without_approval=_NAME))]
