"""LangChain and LangGraph: ``create_agent(model, tools=svc_tools())``, ``ToolNode(svc_tools())``,
``model.bind_tools(svc_tools())``.

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
from svc.tools import SyncTools, Tools

with framework("LangChain", "langchain"):
    from svc.ai.langchain.approval_request import (
        ActionRequest,
        ApprovalDecision,
        ApprovalRequest,
        ApprovalResponse,
    )
    from svc.ai.langchain.svc_tool import SvcTool

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

__all__ = [
    "ActionRequest",
    "ApprovalDecision",
    "ApprovalRequest",
    "ApprovalResponse",
    "SvcTool",
    "load_svc_tools",
    "svc_tools",
]


def svc_tools(tools: Tools | SyncTools | None = None, **options: Unpack[SvcToolsOptions]) -> list["BaseTool"]:
    """``search_services`` and ``invoke_service`` as LangChain tools. Makes no network call.

    Args:
        tools: a ``Tools`` or ``SyncTools`` to share.
        options: of a new one; ``api_key`` defaults to ``SVC_AGENT_API_KEY``.
    """
    return [*SvcTool.all_of(agent_tools(read_options(tools, options, programs=True)))]


async def load_svc_tools(
    tools: Tools | SyncTools | None = None, **options: Unpack[LoadSvcToolsOptions]
) -> list["BaseTool"]:
    """The same with static toolkits and actions, each as a separate tool, named by its action id.

    Raises:
        SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have.
    """
    return [*SvcTool.all_of(await load_agent_tools(read_options(tools, options, programs=True)))]
