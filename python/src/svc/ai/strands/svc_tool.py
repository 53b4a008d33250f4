"""A tool of Strands Agents."""

import asyncio
import base64
import threading
from copy import deepcopy
from typing import Any, Literal, NotRequired, cast

from strands.types.events import ToolResultEvent
from strands.types.media import DocumentContent, ImageContent, ImageFormat
from strands.types.tools import AgentTool as StrandsTool
from strands.types.tools import ToolContext, ToolGenerator, ToolResult, ToolResultContent, ToolSpec, ToolUse

from svc.ai.agent_tool import AgentTool, declined_answer, question_about
from svc.errors import SvcError
from svc.protocol.http import Progress
from svc.tools import ModelMedia, ToolAnswer

#: Seconds between two looks at the agent's signal for a cancel, which no coroutine can wait for.
_INTERVAL = 0.05

#: The name of an interrupt begins with this.
_INTERRUPT = "svc-approval"

_Approval = Literal["approved", "declined", "not needed"]


class SvcToolResult(ToolResult):
    """A result, as Strands marks that of a cancelled call."""

    cancelled: NotRequired[bool]


class SvcTool(StrandsTool):
    """A tool of Strands Agents.

    Its stream is ``{"progress": …}`` while the call runs, ``{"payment": …}`` after a paid call, and the result.
    """

    def __init__(self, tool: AgentTool) -> None:
        super().__init__()
        self._tool = tool

    @property
    def tool_name(self) -> str:
        return self._tool.name

    @property
    def tool_spec(self) -> ToolSpec:
        # A copy, because Strands adds what it misses in a schema.
        schema = {"json": deepcopy(self._tool.parameters)}
        return ToolSpec(name=self._tool.name, description=self._tool.description, inputSchema=schema)

    @property
    def tool_type(self) -> str:
        return "function"

    async def stream(self, tool_use: ToolUse, invocation_state: dict[str, Any], **kwargs: Any) -> ToolGenerator:
        """Answers the call. A failure is a result too, with the status ``error``.

        Raises:
            InterruptException: to ask a human.
        """
        context = kwargs.get("_tool_context") or _context(tool_use, invocation_state)
        approval = await self._ask(context)
        if approval == "declined":
            yield ToolResultEvent(self._result(tool_use, declined_answer()))
            return
        reported: list[Progress] = []
        call = asyncio.create_task(
            self._tool.answer(
                tool_use["input"],
                tool_call_id=tool_use["toolUseId"],
                approved=approval == "approved",
                on_progress=reported.append,
            )
        )
        try:
            while not call.done() and not context.cancel_signal.is_set():
                await asyncio.wait([call], timeout=_INTERVAL)
                while reported:
                    yield {"progress": reported.pop(0)}
        finally:
            was_cancelled = call.cancel()
        if was_cancelled:
            cancelled = _result(tool_use, False, [{"text": "Cancelled"}])
            cancelled["cancelled"] = True
            yield ToolResultEvent(cancelled)
            return
        answer = call.result()
        if answer.payment is not None:
            yield {"payment": answer.payment}
        yield ToolResultEvent(self._result(tool_use, answer))

    async def _ask(self, context: ToolContext) -> _Approval:
        """Strands runs the tool again when the human has answered. The answer counts for the same question only."""
        try:
            resolved = (await self._tool.decide(context.tool_use["input"])).needed
        except SvcError:
            return _answer_of(context.interrupt(_INTERRUPT))
        if resolved is None:
            return "not needed"
        approval = resolved.get("approval")
        name = f"{_INTERRUPT}:{approval['id']}" if approval and "id" in approval else _INTERRUPT
        return _answer_of(context.interrupt(name, question_about(resolved)))

    def _result(self, tool_use: ToolUse, answer: ToolAnswer) -> SvcToolResult:
        media = answer.media if self._tool.images else ()
        return _result(tool_use, answer.error is None, [{"text": answer.content}, *map(_to_content, media)])


def _context(tool_use: ToolUse, invocation_state: dict[str, Any]) -> ToolContext:
    """As Strands makes it for decorated functions."""
    agent = invocation_state["agent"]
    # An agent for voice has no signal.
    signal = getattr(agent, "cancel_signal", threading.Event())
    return ToolContext(tool_use=tool_use, agent=agent, invocation_state=invocation_state, cancel_signal=signal)


def _answer_of(response: object) -> _Approval:
    """``True``, "y" and "yes" approve, as in Strands' own ``HumanInTheLoop``."""
    approved = response is True or (isinstance(response, str) and response.strip().lower() in ("y", "yes"))
    return "approved" if approved else "declined"


def _result(tool_use: ToolUse, succeeded: bool, content: list[ToolResultContent]) -> SvcToolResult:
    return SvcToolResult(toolUseId=tool_use["toolUseId"], status="success" if succeeded else "error", content=content)


def _to_content(media: ModelMedia) -> ToolResultContent:
    data = base64.b64decode(media.data)
    kind, _, form = media.media_type.partition("/")
    if kind == "image":
        return {"image": ImageContent(format=cast(ImageFormat, form), source={"bytes": data})}
    return {"document": DocumentContent(format="pdf", name=media.name, source={"bytes": data})}
