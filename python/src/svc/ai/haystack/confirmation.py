"""Asks a human before a call runs, with Haystack's confirmation hook and any of its user interfaces."""

import asyncio
from collections.abc import Sequence

from haystack.hooks.human_in_the_loop import ConfirmationHook, ToolExecutionDecision
from haystack.hooks.human_in_the_loop.types import ConfirmationStrategy, ConfirmationUI

from svc.ai.agent_tool import question_about, run_blocking
from svc.ai.haystack.svc_tool import SvcTool
from svc.errors import SvcError


def ask_before_calls(tools: Sequence[SvcTool], ui: ConfirmationUI) -> ConfirmationHook:
    """A hook for these tools: ``Agent(…, hooks={"before_tool": [ask_before_calls(tools, SimpleConsoleUI())]})``."""
    strategy = SvcConfirmationStrategy(tools, ui)
    return ConfirmationHook({tuple(tool.name for tool in tools): strategy})


class SvcConfirmationStrategy(ConfirmationStrategy):
    """Asks about the calls that need approval, to combine with strategies for other tools.

    The user interface shows the call that would run, not the text of the model: its action, ``describe_call`` as the
    description, and its payload.
    """

    def __init__(self, tools: Sequence[SvcTool], ui: ConfirmationUI) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._ui = ui

    def run(
        self,
        *,
        tool_name: str,
        tool_description: str,
        tool_params: dict[str, object],
        tool_call_id: str | None = None,
        confirmation_strategy_context: dict[str, object] | None = None,
    ) -> ToolExecutionDecision:
        return run_blocking(self._decide(tool_name, tool_params, tool_call_id))

    async def run_async(
        self,
        *,
        tool_name: str,
        tool_description: str,
        tool_params: dict[str, object],
        tool_call_id: str | None = None,
        confirmation_strategy_context: dict[str, object] | None = None,
    ) -> ToolExecutionDecision:
        return await self._decide(tool_name, tool_params, tool_call_id)

    async def _decide(
        self, tool_name: str, tool_params: dict[str, object], tool_call_id: str | None
    ) -> ToolExecutionDecision:
        tool = self._tools[tool_name]
        runs = ToolExecutionDecision(tool_name, True, tool_call_id, final_tool_params=tool_params)
        try:
            decision = await tool.decide(tool_params)
        except SvcError:
            # The call has the same error, or the service holds it.
            return runs
        if decision.needed is None:
            return runs
        question = question_about(decision.needed)
        action, payload = question["action"], question["payload"]
        answer = await asyncio.to_thread(self._ui.get_user_confirmation, action, question["description"], payload)
        if answer.action == "reject":
            feedback = answer.feedback or f"A human did not approve {action}. Do not call it again unasked."
            return ToolExecutionDecision(tool_name, False, tool_call_id, feedback)
        if answer.action == "modify" and answer.new_tool_params:
            payload = answer.new_tool_params
            runs.final_tool_params = payload if tool_name == action else {"action": action, "payload": payload}
        tool.approve(runs.final_tool_params or {}, decision)
        return runs

    def to_dict(self) -> dict[str, object]:
        raise NotImplementedError(_NOT_SAVED)

    @classmethod
    def from_dict(cls, data: dict[str, object]) -> ConfirmationStrategy:
        raise NotImplementedError(_NOT_SAVED)


_NOT_SAVED = "The tools hold connections, so an agent with them cannot be saved"
