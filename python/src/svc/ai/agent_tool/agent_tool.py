"""One tool of a model in no framework's words."""

from collections.abc import Awaitable, Callable
from typing import Any, TypedDict, Unpack

from svc.ai.agent_tool.approval import Decision, decide
from svc.ai.agent_tool.decisions import CallLimits, narrowed, remember_decision, take_decision
from svc.ai.agent_tool.options import Rules
from svc.errors import SvcError
from svc.protocol.http import CallPayment, JsonSchema, Progress
from svc.tools import ToolAnswer, Tools
from svc.tools.definitions import ToolDefinition

#: The number of new decisions about one call while its action keeps changing.
_MAX_DECISIONS_ANEW = 2


class CallOptions(TypedDict, total=False):
    """The options of one call; ``Tools.answer_tool`` explains them."""

    tool_call_id: str | None
    idempotency_key: str | None
    max_payment: str | None
    action_version: str | None
    on_progress: Callable[[Progress], Awaitable[None] | None] | None
    on_payment: Callable[[CallPayment], Awaitable[None] | None] | None


class AgentTool:
    """A tool, and its calls.

    Attributes:
        definition: name, description, JSON Schema, and the annotations and the price of a static action.
        images: whether images of results may go to the model; from the options.
        ask_above: the price up to which a call needs no approval; from the options.
    """

    def __init__(self, client: Tools, definition: ToolDefinition, rules: Rules) -> None:
        self._client = client
        self._rules = rules
        self.definition = definition
        self.images = rules.images
        self.ask_above = rules.ask_above

    @property
    def name(self) -> str:
        return self.definition["name"]

    @property
    def description(self) -> str:
        return self.definition["description"]

    @property
    def parameters(self) -> JsonSchema:
        """JSON Schema of an object."""
        return self.definition["parameters"]

    async def answer(self, arguments: Any, **options: Unpack[CallOptions]) -> ToolAnswer:
        """Answers a call. A failure is an answer too.

        If the action has changed since the decision, it decides anew: the call runs if it still needs no approval,
        else the answer is ACTION_CHANGED.

        Args:
            arguments: the model's arguments, as an object or as JSON text.
            options: of the call.
        """
        given: CallLimits = {
            "max_payment": options.pop("max_payment", None),
            "action_version": options.pop("action_version", None),
        }
        limits = narrowed(given, take_decision(self.name, options.get("tool_call_id"), arguments))
        decided_anew = 0
        while True:
            options["max_payment"] = limits.get("max_payment")
            options["action_version"] = limits.get("action_version")
            answered = await self._client.answer_tool(self.name, arguments, **options)
            if answered.error is None or answered.error.code != "ACTION_CHANGED" or decided_anew == _MAX_DECISIONS_ANEW:
                return answered
            decided_anew += 1
            try:
                decision = await self.decide(arguments)
            except SvcError:
                return answered
            # A call without a version was decided about by the caller, not by these tools.
            if decision.needed is not None or decision.call_options.get("action_version") is None:
                return answered
            limits = narrowed(decision.call_options, {"max_payment": limits.get("max_payment")})

    async def decide(self, arguments: Any) -> Decision:
        """Decides whether a human has to approve a call before it runs.

        Pass ``call_options`` to the call that follows, also after a human's decision; otherwise the call may run a
        newer action than the decided one.

        Raises:
            SvcError: when the service cannot be asked.
        """
        return await decide(self._client, self.name, arguments, self._rules)

    async def needs_approval(self, arguments: Any, *, tool_call_id: str | None = None) -> bool:
        """A check for frameworks that ask before a call and accept no error there.

        True also if the service cannot be asked. If the call runs in this process, it runs only the action that this
        check saw, for at most its price.
        """
        return await self.limits_without_approval(arguments, tool_call_id=tool_call_id) is None

    async def limits_without_approval(self, arguments: Any, *, tool_call_id: str | None = None) -> CallLimits | None:
        """As ``needs_approval``, for frameworks that run a call right after the check.

        Returns:
            the options of a call that needs no approval; None for a call that needs approval, or if the service cannot
            be asked.
        """
        try:
            decision = await self.decide(arguments)
            limits, needed = decision.call_options, decision.needed is not None
        except SvcError:
            limits, needed = CallLimits(max_payment=self.ask_above), True
        if any(limit is not None for limit in limits.values()):
            remember_decision(self.name, tool_call_id, arguments, limits)
        return None if needed else limits
