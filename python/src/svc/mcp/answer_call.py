"""Answers a call of a tool: with its result, a question to the client's user, a task, or a handle for the model."""

from collections.abc import Callable
from contextlib import suppress

from svc.errors import SvcError
from svc.mcp.ask_to_approve import FORM, form_question, page_question, read_decision
from svc.mcp.ask_to_connect import ClientUser
from svc.mcp.call_states import CallState, CallStates
from svc.mcp.held_call import SILENT, HeldCall, approval_of
from svc.mcp.tasks import created_task
from svc.mcp.tool import to_result
from svc.protocol.approvals import RequiredApproval
from svc.protocol.http import Progress
from svc.tools.definitions import ToolDefinition
from svc.tools.idempotency_key import idempotency_key_of
from svc.tools.model_arguments import read_arguments
from svc.tools.tools import Tools

#: Clients of revision 2026-07-28 make a call again 10 times.
_ROUNDS = 8
#: Seconds. A call that takes longer becomes a task for a client that has tasks.
_TASK = 2.0


class CallAnswerer:
    """The answers of one process."""

    def __init__(self) -> None:
        self._states = CallStates()

    async def answer(
        self,
        tools: Tools,
        tool: ToolDefinition,
        arguments: object,
        *,
        tool_call_id: str,
        on_progress: Callable[[Progress], None] | None,
        user: ClientUser,
    ) -> dict[str, object]:
        """The result. With ``resultType`` ``input_required`` the client makes the same call again.

        Raises:
            SvcError: for a code that the user typed, and that the service refuses.
            McpError: for an unknown state.
        """
        name = tool["name"]
        state = self._states.find(name, arguments, user.state)
        connected = user.read_connect_answer()
        if connected is not None and connected.code is not None:
            await tools.confirm_connection(connected.code)
        decision = read_decision(user.responses) if state else None
        if state and decision:
            # The same call gets the effect of an earlier decision.
            with suppress(SvcError):
                await tools.decide_approval(state.approval_id, decision)
        read = read_arguments(name, arguments)
        key = idempotency_key_of(
            state.idempotency_key if state else None, tool_call_id=tool_call_id, tool=name, arguments=read
        )
        wait = _TASK if user.has_tasks else SILENT
        call = HeldCall(tools, name, read, idempotency_key=key, wait=wait, on_progress=on_progress)
        waits_for = state.approval_id if state and decision is None else None
        answer = await call.answer(_hold(user, state), waits_for)
        approval = approval_of(answer)
        if user.has_tasks and answer.unfinished is not None:
            return created_task(answer.unfinished["invocationId"], tool, answer, user)
        if approval is None:
            question = user.ask_to_connect(answer.error, connected) if answer.error else None
            return question or to_result(answer, tool)
        is_new = state is None or state.approval_id != approval["id"]
        asked = await _questions(tools, name, arguments, approval, user) if is_new else {}
        if user.has_tasks and FORM not in asked:
            return created_task(approval["id"], tool, answer, user)
        rounds = state.round if state else 0
        if not user.has_rounds or rounds == _ROUNDS:
            return to_result(answer, tool)
        following = CallState(idempotency_key=key, approval_id=approval["id"], round=rounds + 1)
        return {
            "resultType": "input_required",
            **({"inputRequests": asked} if asked else {}),
            "requestState": self._states.keep(name, arguments, following),
        }


def _hold(user: ClientUser, state: CallState | None) -> float:
    """A client with questions for its user, or with tasks, gets them at once."""
    asks = state is None and (user.can_ask("url") or user.can_ask("form"))
    return 0 if user.has_rounds and (user.has_tasks or asks) else SILENT


async def _questions(
    tools: Tools, name: str, arguments: object, approval: RequiredApproval, user: ClientUser
) -> dict[str, object]:
    if approval["decidedBy"] == "app" and user.can_ask("form"):
        return form_question(await tools.resolve(name, arguments))
    return page_question(approval) if user.can_ask("url") else {}
