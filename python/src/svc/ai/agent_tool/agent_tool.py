"""One tool of a model in no framework's words."""

from collections.abc import Awaitable, Callable
from typing import Literal, TypedDict, Unpack

from svc.ai.agent_tool.approval import Decision, ToolRules
from svc.ai.agent_tool.options import Rules
from svc.ai.agent_tool.programs import program_tool
from svc.errors import SvcError
from svc.protocol.approvals import RequiredApproval
from svc.protocol.http import CallPayment, JsonSchema, Progress
from svc.tools import ToolAnswer, Tools
from svc.tools.definitions import ToolDefinition

#: The number of times that a call is made again, because its action has changed on the way.
_MAX_CHANGES = 2


class CallOptions(TypedDict, total=False):
    """The options of one call; ``Tools.answer_tool`` explains them."""

    tool_call_id: str | None
    idempotency_key: str | None
    max_payment: str | None
    action_version: str | None
    made_by: Literal["program"] | None
    longest: float | None
    on_progress: Callable[[Progress], Awaitable[None] | None] | None
    on_payment: Callable[[CallPayment], Awaitable[None] | None] | None


class AgentTool:
    """A tool, and its calls.

    Attributes:
        definition: name, description, JSON Schema, and the annotations and the price of a static action.
        images: whether images of results may go to the model; from the options.
        program: the tool for programs of the model's provider. None: they may not call it; with ``programmatic`` in
            the options.
    """

    def __init__(self, client: Tools, definition: ToolDefinition, rules: Rules) -> None:
        self._client = client
        self._rules = ToolRules(client, definition["name"], rules)
        self.definition = definition
        self.images = rules.images
        self.program = program_tool(definition, rules)

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

    async def answer(self, arguments: object, *, approved: bool = False, **options: Unpack[CallOptions]) -> ToolAnswer:
        """Answers a call. A failure is an answer too.

        A call that needs approval runs only with ``approved``, and only if a human was asked about exactly this call;
        otherwise the answer is APPROVAL_REQUIRED.

        Args:
            arguments: the model's arguments, as an object or as JSON text.
            approved: a human has approved the call.
            options: of the call.
        """
        seen = options.pop("action_version", None)
        changes = 0
        while True:
            held = await self._rules.held(arguments, approved=approved)

            def is_approved(approval: RequiredApproval, seen: str | None = seen) -> bool:
                return "isNew" not in approval or seen is not None

            options["action_version"] = held.action_version if seen is None else seen
            answered = await self._client.answer_tool(
                self.name, arguments, ask=held.ask, is_approved=is_approved if approved else None, **options
            )
            has_changed = answered.error is not None and answered.error.code == "ACTION_CHANGED"
            if not has_changed or held.ask is None or changes == _MAX_CHANGES:
                return answered
            # The service checks the call again with the present action. An approval of the former one does not cover
            # it.
            changes += 1
            seen = None

    async def decide(self, arguments: object) -> Decision:
        """Decides whether a human has to approve a call before it runs, and makes the question.

        Pass ``call_options`` to the call that the human has approved.

        Raises:
            SvcError: when the service cannot be asked.
        """
        return await self._rules.decide(arguments)

    async def needs_approval(self, arguments: object) -> bool:
        """A check for frameworks that ask before a call and accept no error there.

        True also if the service cannot be asked.
        """
        try:
            return (await self.decide(arguments)).needed is not None
        except SvcError:
            return True
