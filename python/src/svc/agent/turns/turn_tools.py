"""The two tools, as the calls of one turn need them."""

from typing import Any

from svc.agent.turns.error_result import error_result
from svc.client.message import Message
from svc.errors import SvcError
from svc.protocol.amount import to_millionths
from svc.protocol.http import ActionInfo, ResolveResponse
from svc.protocol.json_text import quoted
from svc.tools.definitions import INVOKE_TOOL, SEARCH_TOOL
from svc.tools.refused_before_run import REFUSED_BEFORE_RUN
from svc.tools.tools import Tools


class TurnTools:
    """The tools of one person in one chat."""

    def __init__(self, tools: Tools, ask_above: str | None) -> None:
        self._tools = tools
        self._ask_above = ask_above

    async def offered(self) -> list[dict[str, Any]]:
        return await self._tools.get_tools()

    async def approval_for(self, call: dict[str, Any]) -> ResolveResponse | None:
        """What the call would run, if it needs approval.

        Raises:
            SvcError: if nobody can know
        """
        function = call.get("function") or {}
        if function.get("name") != INVOKE_TOOL:
            return None
        try:
            resolved = await self._tools.resolve(INVOKE_TOOL, function.get("arguments"))
        except SvcError as error:
            # The call itself gives the same error, or the kept result of a run before a restart.
            if error.code in REFUSED_BEFORE_RUN:
                return None
            raise
        action = resolved["action"]
        destroys = action.get("annotations", {}).get("destructive") is True
        return resolved if destroys or self._is_dear(action) else None

    async def answer(self, call: dict[str, Any], *, idempotency_key: str, max_payment: str | None) -> Message:
        """The message of role ``tool``; a failure is one too."""
        function = call.get("function") or {}
        name = function.get("name", call.get("type"))
        # `Tools` would run any action by its id, and nobody would be asked.
        if name not in (SEARCH_TOOL, INVOKE_TOOL):
            return error_result(call, _unknown_tool(name).to_json())
        answered = await self._tools.answer_tool(
            name,
            function.get("arguments"),
            idempotency_key=idempotency_key,
            max_payment=self._ask_above if max_payment is None else max_payment,
        )
        images = [
            f"data:{media.media_type};base64,{media.data}"
            for media in answered.media
            if media.media_type.startswith("image/")
        ]
        message: Message = {"role": "tool", "tool_call_id": call["id"], "content": answered.content}
        return {**message, "svc_images": images} if images else message

    def _is_dear(self, action: ActionInfo) -> bool:
        if self._ask_above is None:
            return False
        # In doubt the answer is yes: the service may have a newer form of amounts.
        price = to_millionths(shown_price(action))
        return price is None or price > (to_millionths(self._ask_above) or 0)


def _unknown_tool(name: Any) -> SvcError:
    return SvcError(
        "UNKNOWN_TOOL",
        f"There is no tool {quoted(str(name))}. Find actions with {SEARCH_TOOL}, run one with {INVOKE_TOOL}.",
    )


def shown_price(action: ActionInfo) -> str:
    """The most that a call may cost after a person saw this."""
    payment = action.get("payment")
    return payment["amount"] if payment else "0"
