"""OpenAI Agents SDK: ``Agent(name=…, tools=svc_tools())``.

Translation only; search, retries and limits are the client's.
"""

from typing import Unpack

from svc.ai.agent_tool import (
    LoadSvcToolsOptions,
    SvcToolsOptions,
    agent_tools,
    load_agent_tools,
    read_options,
)
from svc.ai.framework import framework
from svc.tools import Tools

with framework("the OpenAI Agents SDK", "openai-agents"):
    from agents import Tool

    from svc.ai.openai_agents.svc_tool import to_agents_tools

__all__ = ["load_svc_tools", "svc_tools"]


def svc_tools(tools: Tools | None = None, **options: Unpack[SvcToolsOptions]) -> list[Tool]:
    """``search_services`` and ``invoke_service`` as function tools. Makes no network call.

    Args:
        tools: a ``Tools`` to share.
        options: of a new one; ``api_key`` defaults to ``SVC_AGENT_API_KEY``.
    """
    return to_agents_tools(agent_tools(read_options(tools, options, programs=True)))


async def load_svc_tools(tools: Tools | None = None, **options: Unpack[LoadSvcToolsOptions]) -> list[Tool]:
    """The same with static toolkits and actions, each as a separate tool, named by its action id.

    Raises:
        SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have.
    """
    return to_agents_tools(await load_agent_tools(read_options(tools, options, programs=True)))
