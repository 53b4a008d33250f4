"""Google ADK: ``Agent(name=…, model=…, tools=svc_tools())``.

Translation only; search, retries and limits are the client's.
"""

from typing import TYPE_CHECKING, Unpack

from svc.ai.agent_tool import (
    LoadSvcToolsOptions,
    SvcToolsOptions,
    agent_tools,
    load_agent_tools,
    read_options,
)
from svc.ai.framework import framework
from svc.tools import Tools

with framework("Google ADK", "google-adk"):
    from svc.ai.google_adk.svc_tool import SvcTool

if TYPE_CHECKING:
    from google.adk.agents.llm_agent import ToolUnion

__all__ = ["SvcTool", "load_svc_tools", "svc_tools"]


def svc_tools(tools: Tools | None = None, **options: Unpack[SvcToolsOptions]) -> "list[ToolUnion]":
    """``search_services`` and ``invoke_service`` as ADK tools. Makes no network call.

    Args:
        tools: a ``Tools`` to share.
        options: of a new one; ``api_key`` defaults to ``SVC_AGENT_API_KEY``.
    """
    return [SvcTool(tool) for tool in agent_tools(read_options(tools, options))]


async def load_svc_tools(tools: Tools | None = None, **options: Unpack[LoadSvcToolsOptions]) -> "list[ToolUnion]":
    """The same with static toolkits and actions, each as a separate tool, named by its action id.

    Raises:
        SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have.
    """
    return [SvcTool(tool) for tool in await load_agent_tools(read_options(tools, options))]
