"""smolagents: ``CodeAgent(tools=svc_tools(), model=model)``, ``ToolCallingAgent(tools=svc_tools(), model=model)``.

Translation only; search, retries and limits are the client's.
"""

from typing import Any, Unpack

from svc.ai.agent_tool import (
    AgentTool,
    LoadSvcToolsOptionsWithoutApproval,
    SvcToolsOptionsWithoutApproval,
    agent_tools,
    load_agent_tools,
    read_options,
    run_blocking,
)
from svc.ai.framework import framework
from svc.ai.smolagents.inputs import to_identifier, to_inputs
from svc.ai.smolagents.printable import printable
from svc.tools import Tools

with framework("smolagents", "smolagents"):
    from smolagents import Tool  # type: ignore[import-untyped]

__all__ = ["SvcTool", "load_svc_tools", "svc_tools"]

_NAME = "smolagents"


class SvcTool(Tool):  # type: ignore[misc] # smolagents has no types.
    """A tool of smolagents. Its result is a value, which code can use; printed, it is JSON."""

    skip_forward_signature_validation = True
    output_type = "any"

    def __init__(self, tool: AgentTool) -> None:
        self.name = to_identifier(tool.name)
        self.description = tool.description
        self.inputs = to_inputs(tool.parameters)
        self._tool = tool
        super().__init__()

    def forward(self, *unnamed: Any, **arguments: Any) -> Any:
        named = dict(zip(self.inputs, unnamed, strict=False))
        # Returns a failure as a value: an exception would drop the other results of the step.
        return printable(run_blocking(self._tool.answer({**named, **arguments})).value)


def svc_tools(tools: Tools | None = None, **options: Unpack[SvcToolsOptionsWithoutApproval]) -> list[SvcTool]:
    """``search_services`` and ``invoke_service`` as smolagents tools. Makes no network call.

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
