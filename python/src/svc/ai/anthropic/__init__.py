"""Anthropic: ``client.beta.messages.tool_runner(…, tools=svc_tools())``, or ``messages.create`` and ``call_tools`` in a
loop of your own.

Translation only; search, retries and limits are the client's.
"""

from typing import Unpack

from svc.ai.agent_tool import (
    AgentTool,
    LoadSvcToolsOptionsWithoutApproval,
    ReadOptions,
    SvcToolsOptionsWithoutApproval,
    agent_tools,
    load_agent_tools,
    read_options,
)
from svc.ai.framework import framework
from svc.errors import SvcError
from svc.tools import Tools

with framework("Anthropic", "anthropic"):
    from svc.ai.anthropic.svc_tool import SvcTool
    from svc.ai.anthropic.svc_tools import NextRequest, SvcTools, next_request

__all__ = ["NextRequest", "SvcTool", "SvcTools", "load_svc_tools", "next_request", "svc_tools"]

_NAME = "Anthropic"
#: The API refuses a whole request for one tool with one of these at the top of its schema.
_REFUSED_KEYWORDS = ("oneOf", "anyOf", "allOf")


def svc_tools(tools: Tools | None = None, **options: Unpack[SvcToolsOptionsWithoutApproval]) -> SvcTools:
    """``search_services`` and ``invoke_service`` for tool runners and for ``messages.create``. Makes no network call.

    Args:
        tools: a ``Tools`` to share.
        options: of a new one; ``api_key`` defaults to ``SVC_AGENT_API_KEY``.
    """
    chosen = read_options(tools, options, without_approval=_NAME, programs=True)
    return _translate(agent_tools(chosen), chosen)


async def load_svc_tools(tools: Tools | None = None, **options: Unpack[LoadSvcToolsOptionsWithoutApproval]) -> SvcTools:
    """The same with static toolkits and actions, each as a separate tool, named by its action id.

    Raises:
        SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have; INVALID_REQUEST for an
            action that the API refuses.
    """
    chosen = read_options(tools, options, without_approval=_NAME, programs=True)
    return _translate(await load_agent_tools(chosen), chosen)


def _translate(tools: list[AgentTool], options: ReadOptions) -> SvcTools:
    refused = [tool.name for tool in tools if not tool.parameters.keys().isdisjoint(_REFUSED_KEYWORDS)]
    if refused:
        raise SvcError(
            "INVALID_REQUEST",
            "The API accepts no tool with oneOf, anyOf or allOf at the top of its schema: "
            f"leave {', '.join(refused)} to invoke_service",
        )
    return SvcTools(map(SvcTool, tools), options.client)
