"""Agno: ``Agent(model=model, tools=svc_tools())``.

Translation only; search, retries and limits are the client's.
"""

from typing import Unpack

from svc.ai.agent_tool import (
    LoadSvcToolsOptionsWithoutApproval,
    SvcToolsOptionsWithoutApproval,
    agent_tools,
    load_agent_tools,
    read_options,
)
from svc.ai.framework import framework
from svc.tools import SyncTools, Tools

with framework("Agno", "agno"):
    from svc.ai.agno.svc_tool import SvcTool

__all__ = ["SvcTool", "load_svc_tools", "svc_tools"]

_NAME = "Agno"


def svc_tools(
    tools: Tools | SyncTools | None = None, **options: Unpack[SvcToolsOptionsWithoutApproval]
) -> list[SvcTool]:
    """``search_services`` and ``invoke_service``, each as a toolkit of Agno. Makes no network call.

    Args:
        tools: a ``Tools`` or ``SyncTools`` to share.
        options: of a new one; ``api_key`` defaults to ``SVC_AGENT_API_KEY``.
    """
    return [SvcTool(tool) for tool in agent_tools(read_options(tools, options, without_approval=_NAME))]


async def load_svc_tools(
    tools: Tools | SyncTools | None = None, **options: Unpack[LoadSvcToolsOptionsWithoutApproval]
) -> list[SvcTool]:
    """The same with static toolkits and actions, each as a separate toolkit, with the action id as its function's name.

    Raises:
        SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have.
    """
    return [SvcTool(tool) for tool in await load_agent_tools(read_options(tools, options, without_approval=_NAME))]
