"""The two tools for the calls of a turn."""

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Any, Literal

from svc.agent.model.ask_model import TokenCount
from svc.agent.turns.connections import CallToConnect
from svc.agent.turns.error_result import error_result
from svc.ai.agent_tool import AgentTool, ApprovedCall, Decision, SvcToolsOptions, agent_tools, read_options
from svc.client.message import Message
from svc.errors import SvcError
from svc.protocol.approvals import RequiredApproval
from svc.protocol.http import UnfinishedInvocation
from svc.protocol.json_text import quoted
from svc.tools.definitions import INVOKE_TOOL, SEARCH_TOOL
from svc.tools.tools import Tools

_FLUSH_SECONDS = 2

#: The outcome of a code. ``later``: the service could not check it.
CodeOutcome = Literal["done", "wrong", "later"]

#: The service refuses a code with one of these.
_WRONG_CODE = frozenset({"NOT_FOUND", "NOT_PERMITTED", "CONFLICT", "INVALID_REQUEST"})
#: Seconds.
_CONFIRM_WITHIN = 10.0


@dataclass(frozen=True)
class CallToDecide:
    """A call that a person elsewhere has to approve first.

    Attributes:
        call: the model's.
        refusal: the error for the model, if there is no decision.
    """

    call: dict[str, Any]
    refusal: SvcError

    @property
    def approval(self) -> RequiredApproval:
        return RequiredApproval(self.refusal.details["approval"])


class TurnTools:
    """The tools of one person in one chat."""

    def __init__(self, tools: Tools, *, asks: bool = True, ask_above: str | None = None) -> None:
        """
        Args:
            tools: of the person.
            asks: False: the program asks no person about a call.
            ask_above: the price above which a call needs approval, and the limit of a call that needs none.
        """
        self._tools = tools
        self._asks = asks
        self._ask_above = ask_above
        rules: SvcToolsOptions = {"ask_above": ask_above} if asks else {"needs_approval": False}
        #: The offered tools by name. The model may call no other tool: `Tools` would run any action by its id, without
        #: approval.
        self._offered: dict[object, AgentTool] = {tool.name: tool for tool in agent_tools(read_options(tools, rules))}

    async def confirm(self, code: str) -> CodeOutcome:
        """Confirms that the person who sent the code is the one who connected the account."""
        try:
            await asyncio.wait_for(self._tools.confirm_connection(code), _CONFIRM_WITHIN)
        except SvcError as error:
            return "wrong" if error.code in _WRONG_CODE else "later"
        except Exception:
            return "later"
        return "done"

    async def report_tokens(self, model: str, tokens: TokenCount) -> None:
        """Reports the tokens of one answer of the model. A report that fails must not end the turn."""
        if tokens.input + tokens.output > 0:
            with contextlib.suppress(SvcError):
                await self._tools.report_usage(model, input_tokens=tokens.input, output_tokens=tokens.output)

    async def flush_tokens(self) -> None:
        """Sends the tokens that no call has carried, if the service takes them in time."""
        with contextlib.suppress(SvcError, TimeoutError):
            async with asyncio.timeout(_FLUSH_SECONDS):
                await self._tools.flush_usage()

    async def offered(self) -> list[dict[str, object]]:
        return await self._tools.get_tools()

    async def decide(self, call: dict[str, Any]) -> Decision | None:
        """Decides whether the call needs approval. None for a tool that was not offered.

        Raises:
            SvcError: if the service cannot be asked
        """
        function = call.get("function") or {}
        tool = self._offered.get(function.get("name"))
        return await tool.decide(function.get("arguments")) if tool else None

    async def decision_on(self, handle: str) -> Literal["open", "approved"] | SvcError:
        """Whether people have decided about a call; the error of a call that they refused."""
        try:
            found = await self._tools.result(handle)
        except SvcError as error:
            if error.code == "APPROVAL_DENIED":
                return error
            # The same call gets any other error, which is that of the approved call.
            return "open" if error.code == "SERVICE_UNREACHABLE" else "approved"
        return "open" if isinstance(found, UnfinishedInvocation) and found.status == "waiting" else "approved"

    async def answer(
        self, call: dict[str, Any], *, idempotency_key: str, options: ApprovedCall
    ) -> Message | CallToConnect | CallToDecide:
        """The message of role ``tool``, also for a failure; or the call, which runs when its person has connected an
        account, or when a person elsewhere has approved it.
        """
        function = call.get("function") or {}
        name = function.get("name", call.get("type"))
        tool = self._offered.get(name)
        if tool is None:
            return error_result(call, _unknown_tool(name).to_json())
        limited: ApprovedCall = {"max_payment": self._ask_above, **options}
        answered = await tool.answer(function.get("arguments"), idempotency_key=idempotency_key, **limited)
        if answered.error and self._is_for_others(answered.error):
            return CallToDecide(call, answered.error)
        connect = answered.error.details.get("connect") if answered.error else None
        if isinstance(connect, dict) and "url" in connect:
            return CallToConnect(call, connect)
        images = [
            f"data:{media.media_type};base64,{media.data}"
            for media in answered.media
            if media.media_type.startswith("image/")
        ]
        message: Message = {"role": "tool", "tool_call_id": call["id"], "content": answered.content}
        return {**message, "svc_images": images} if images else message

    def _is_for_others(self, error: SvcError) -> bool:
        approval = error.details.get("approval") if error.code == "APPROVAL_REQUIRED" else None
        return isinstance(approval, dict) and (approval["decidedBy"] == "people" or not self._asks)


def _unknown_tool(name: object) -> SvcError:
    return SvcError(
        "UNKNOWN_TOOL",
        f"There is no tool {quoted(str(name))}. Find actions with {SEARCH_TOOL}, run one with {INVOKE_TOOL}.",
    )
