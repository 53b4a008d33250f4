"""OpenAI: a loop of your own with chat completions, ``tools=svc_tools()``.

Translation only; search, retries and limits are the client's. Imports nothing of ``openai``: the shapes fit its types.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Unpack

from svc.ai.agent_tool import (
    AgentTool,
    LoadSvcToolsOptionsWithoutApproval,
    SvcToolsOptionsWithoutApproval,
    agent_tools,
    load_agent_tools,
    read_options,
)
from svc.protocol.http import CallPayment, Progress
from svc.tools import Tools
from svc.tools.definitions import to_chat_completion_tool

_NAME = "OpenAI"


class SvcTools(list[Any]):
    """Tools for ``chat.completions.create(tools=…)``, and the answers to their calls."""

    def __init__(self, tools: list[AgentTool], client: Tools) -> None:
        super().__init__(to_chat_completion_tool(tool.definition) for tool in tools)
        self._client = client

    async def call_tools(
        self,
        tool_calls: Any,
        *,
        idempotency_key: str | None = None,
        on_progress: Callable[[Progress, str], Awaitable[None] | None] | None = None,
        on_payment: Callable[[CallPayment, str], Awaitable[None] | None] | None = None,
    ) -> list[Any]:
        """Answers ``message.tool_calls``: one message for each call, in order. A failure is an answer too.

        Args:
            tool_calls: the objects of ``openai``; ``None`` gives ``[]``.
            idempotency_key: as in ``Tools.call_tools``.
            on_progress: called with the progress and the id of the tool call.
            on_payment: called for each result of a paid action, with the id of the tool call.
        """
        return await self._client.call_tools(
            tool_calls, idempotency_key=idempotency_key, on_progress=on_progress, on_payment=on_payment
        )


def svc_tools(tools: Tools | None = None, **options: Unpack[SvcToolsOptionsWithoutApproval]) -> SvcTools:
    """``search_services`` and ``invoke_service`` for chat completions. Makes no network call.

    Args:
        tools: a ``Tools`` to share.
        options: of a new one; ``api_key`` defaults to ``SVC_AGENT_API_KEY``.
    """
    chosen = read_options(tools, options, without_approval=_NAME)
    return SvcTools(agent_tools(chosen), chosen.client)


async def load_svc_tools(tools: Tools | None = None, **options: Unpack[LoadSvcToolsOptionsWithoutApproval]) -> SvcTools:
    """The same with static toolkits and actions, each a tool of its own, named by its action id.

    Raises:
        SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have.
    """
    chosen = read_options(tools, options, without_approval=_NAME)
    return SvcTools(await load_agent_tools(chosen), chosen.client)
