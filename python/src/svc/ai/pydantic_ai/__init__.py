"""Pydantic AI: ``Agent(model, tools=svc_tools())``.

Translation only; search, retries and limits are the client's.
"""

from typing import Any, Unpack

from svc.ai.agent_tool import (
    LoadSvcToolsOptions,
    SvcToolsOptions,
    agent_tools,
    load_agent_tools,
    read_options,
)
from svc.ai.framework import framework
from svc.tools import Tools

with framework("Pydantic AI", "pydantic-ai"):
    from pydantic_ai import Tool

    from svc.ai.pydantic_ai.svc_tool import SvcProgressEvent, to_tool

__all__ = ["SvcProgressEvent", "load_svc_tools", "svc_tools"]


def svc_tools(tools: Tools | None = None, **options: Unpack[SvcToolsOptions]) -> list[Tool[Any]]:
    """``search_services`` and ``invoke_service`` as Pydantic AI tools. Makes no network call.

    Args:
        tools: a ``Tools`` to share.
        options: of a new one; ``api_key`` defaults to ``SVC_AGENT_API_KEY``.
    """
    return [to_tool(tool) for tool in agent_tools(read_options(tools, options))]


async def load_svc_tools(tools: Tools | None = None, **options: Unpack[LoadSvcToolsOptions]) -> list[Tool[Any]]:
    """The same with static toolkits and actions, each as a separate tool, named by its action id.

    Raises:
        SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have.
    """
    return [to_tool(tool) for tool in await load_agent_tools(read_options(tools, options))]
