"""Chat completions."""

from typing import Any

from svc.ai.agent_tool import AgentTool
from svc.tools import CallPaymentCallback, CallProgressCallback, Tools
from svc.tools.definitions import to_chat_completion_tool


class SvcTools(list[Any]):
    """Tools for ``chat.completions.create(tools=…)``, and the answers to their calls."""

    def __init__(self, tools: list[AgentTool], client: Tools) -> None:
        super().__init__(to_chat_completion_tool(tool.definition) for tool in tools)
        self._client = client

    async def call_tools(
        self,
        tool_calls: object,
        *,
        idempotency_key: str | None = None,
        on_progress: CallProgressCallback | None = None,
        on_payment: CallPaymentCallback | None = None,
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
