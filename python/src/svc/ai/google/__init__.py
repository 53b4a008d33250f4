"""Google Gen AI: ``generate_content(…, config={"tools": svc_functions()})``, or ``svc_tools()`` and ``call_tools`` in a
loop of your own.

Translation only; search, retries and limits are the client's.
"""

from collections.abc import Callable
from typing import Unpack

from svc.ai.agent_tool import (
    LoadSvcToolsOptionsWithoutApproval,
    SvcToolsOptionsWithoutApproval,
    agent_tools,
    load_agent_tools,
    read_options,
)
from svc.ai.framework import framework
from svc.tools import Tools

with framework("Google Gen AI", "google-genai"):
    from svc.ai.google.functions import to_functions
    from svc.ai.google.svc_tools import SvcTools

__all__ = ["SvcTools", "load_svc_tools", "svc_functions", "svc_tools"]

_NAME = "Google Gen AI"


def svc_functions(
    tools: Tools | None = None, **options: Unpack[SvcToolsOptionsWithoutApproval]
) -> list[Callable[..., object]]:
    """``search_services`` and ``invoke_service`` as functions that ``client.aio`` calls by itself.

    Makes no network call. The SDK accepts functions or declarations, not both, and derives schemas from functions: for
    static actions use ``load_svc_tools``.

    Args:
        tools: a ``Tools`` to share.
        options: of a new one; ``api_key`` defaults to ``SVC_AGENT_API_KEY``.
    """
    chosen = read_options(tools, options, without_approval=_NAME)
    return to_functions(agent_tools(chosen))


def svc_tools(tools: Tools | None = None, **options: Unpack[SvcToolsOptionsWithoutApproval]) -> SvcTools:
    """``search_services`` and ``invoke_service`` for a loop of your own. Makes no network call.

    Args:
        tools: a ``Tools`` to share.
        options: of a new one; ``api_key`` defaults to ``SVC_AGENT_API_KEY``.
    """
    chosen = read_options(tools, options, without_approval=_NAME)
    return SvcTools(agent_tools(chosen), chosen)


async def load_svc_tools(tools: Tools | None = None, **options: Unpack[LoadSvcToolsOptionsWithoutApproval]) -> SvcTools:
    """The same with static toolkits and actions, each as a separate function, named by its action id.

    Raises:
        SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have.
    """
    chosen = read_options(tools, options, without_approval=_NAME)
    return SvcTools(await load_agent_tools(chosen), chosen)
