"""One tool of a model in no framework's words."""

from collections.abc import Awaitable, Callable
from typing import Any, TypedDict, Unpack

from svc.ai.agent_tool.approval import find_approval, shown_price
from svc.ai.agent_tool.options import Rules
from svc.ai.agent_tool.price_limits import is_above, remember_limit, take_limit
from svc.errors import SvcError
from svc.protocol.http import CallPayment, JsonSchema, Progress, ResolveResponse
from svc.tools import ToolAnswer, Tools
from svc.tools.definitions import ToolDefinition
from svc.tools.refused_before_run import REFUSED_BEFORE_RUN


class CallOptions(TypedDict, total=False):
    """The options of one call; ``Tools.answer_tool`` explains them."""

    tool_call_id: str | None
    idempotency_key: str | None
    max_payment: str | None
    on_progress: Callable[[Progress], Awaitable[None] | None] | None
    on_payment: Callable[[CallPayment], Awaitable[None] | None] | None


class AgentTool:
    """A tool, and its calls.

    Attributes:
        definition: name, description, JSON Schema, and the annotations and the price of a static action.
        images: whether images of results may go to the model; from the options.
        ask_above: the price up to which nobody is asked; from the options.
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

        Args:
            arguments: the model's arguments, as an object or as JSON text.
            options: of the call.
        """
        limit = take_limit(self.name, options.get("tool_call_id"), arguments)
        most = options.get("max_payment")
        if limit is not None and (most is None or is_above(most, limit)):
            options["max_payment"] = limit
        return await self._client.answer_tool(self.name, arguments, **options)

    async def approval(self, arguments: Any) -> ResolveResponse | None:
        """The call that a human has to approve before it runs; None if the call needs no approval.

        Pass ``max_payment`` to the call that follows: the price that the human saw, or ``"0"``; else ``ask_above``.

        Raises:
            SvcError: when the call is invalid, or the service cannot be asked.
        """
        return await find_approval(self._client, self.name, arguments, self._rules)

    async def needs_approval(self, arguments: Any, *, tool_call_id: str | None = None) -> bool:
        """A check for frameworks that ask before a call and accept no error there. In doubt the answer is true.

        The same call then costs at most what this check saw, if it runs in this process.
        """
        limit = self.ask_above
        try:
            needed = await self.approval(arguments)
            if needed is not None:
                limit = shown_price(needed)
            return needed is not None
        except SvcError as error:
            # A human must see the price first.
            if error.code == "PAYMENT_REQUIRED":
                limit = "0"
            # An invalid call stays invalid: the model gets the error when the call runs.
            return error.code not in REFUSED_BEFORE_RUN
        finally:
            if limit is not None:
                remember_limit(self.name, tool_call_id, arguments, limit)
