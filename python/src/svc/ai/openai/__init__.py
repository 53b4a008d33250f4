"""OpenAI: a loop of your own with chat completions, ``tools=svc_tools()``, or with the Responses API,
``tools=svc_responses_tools()``.

Translation only; search, retries and limits are the client's. Imports nothing of ``openai``: the shapes fit its types.
"""

from typing import Unpack

from svc.ai.agent_tool import (
    LoadSvcToolsOptionsWithoutApproval,
    SvcToolsOptionsWithoutApproval,
    agent_tools,
    load_agent_tools,
    read_options,
)
from svc.ai.openai.chat_completions import SvcTools
from svc.ai.openai.responses import NextRequest, SvcResponsesTools, next_request
from svc.tools import Tools

__all__ = [
    "NextRequest",
    "SvcResponsesTools",
    "SvcTools",
    "load_svc_responses_tools",
    "load_svc_tools",
    "next_request",
    "svc_responses_tools",
    "svc_tools",
]

_NAME = "OpenAI"


def svc_tools(tools: Tools | None = None, **options: Unpack[SvcToolsOptionsWithoutApproval]) -> SvcTools:
    """``search_services`` and ``invoke_service`` for chat completions. Makes no network call.

    Args:
        tools: a ``Tools`` to share.
        options: of a new one; ``api_key`` defaults to ``SVC_AGENT_API_KEY``.
    """
    chosen = read_options(tools, options, without_approval=_NAME)
    return SvcTools(agent_tools(chosen), chosen.client)


async def load_svc_tools(tools: Tools | None = None, **options: Unpack[LoadSvcToolsOptionsWithoutApproval]) -> SvcTools:
    """The same with static toolkits and actions, each as a separate tool, named by its action id.

    Raises:
        SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have.
    """
    chosen = read_options(tools, options, without_approval=_NAME)
    return SvcTools(await load_agent_tools(chosen), chosen.client)


def svc_responses_tools(
    tools: Tools | None = None, **options: Unpack[SvcToolsOptionsWithoutApproval]
) -> SvcResponsesTools:
    """``svc_tools`` for the Responses API."""
    chosen = read_options(tools, options, without_approval=_NAME, programs=True)
    return SvcResponsesTools(agent_tools(chosen), chosen)


async def load_svc_responses_tools(
    tools: Tools | None = None, **options: Unpack[LoadSvcToolsOptionsWithoutApproval]
) -> SvcResponsesTools:
    """``load_svc_tools`` for the Responses API."""
    chosen = read_options(tools, options, without_approval=_NAME, programs=True)
    return SvcResponsesTools(await load_agent_tools(chosen), chosen)
