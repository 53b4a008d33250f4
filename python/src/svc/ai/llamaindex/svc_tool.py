"""A tool of LlamaIndex."""

import base64
import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from llama_index.core.base.llms.types import ContentBlock, DocumentBlock, ImageBlock, TextBlock
from llama_index.core.tools import FunctionTool, ToolMetadata, ToolOutput
from llama_index.core.workflow import Context, Event, HumanResponseEvent, InputRequiredEvent

from svc.ai.agent_tool import AgentTool, declined_answer, question_about, run_blocking
from svc.ai.arguments_model import arguments_model
from svc.errors import SvcError
from svc.protocol.http import Progress
from svc.tools import ModelMedia, ToolAnswer
from svc.tools.canonical_json import to_canonical_json


class SvcProgressEvent(Event):
    """The progress of a call, in the event stream of the run: ``{"progress", "total", "message"}``, as in MCP."""

    tool_name: str
    tool_kwargs: dict[str, Any]
    progress: Mapping[str, Any]


class ApprovalRequestEvent(InputRequiredEvent):
    """A call that waits for the approval of a human: ``handler.ctx.send_event(event.approve())``.

    Attributes:
        action: the action that would run; None if the service could not be asked. payload: the payload that would run.
        payment: the price of a paid action.
        description: the call in a line for the human, by ``describe_call``; None if ``action`` is.
    """

    request_id: str
    tool_name: str
    tool_kwargs: dict[str, Any]
    action: str | None = None
    payload: dict[str, object] | None = None
    payment: Mapping[str, str] | None = None
    description: str | None = None

    def approve(self) -> "ApprovalResponseEvent":
        return ApprovalResponseEvent(request_id=self.request_id, approved=True)

    def reject(self) -> "ApprovalResponseEvent":
        return ApprovalResponseEvent(request_id=self.request_id, approved=False)


class ApprovalResponseEvent(HumanResponseEvent):
    """The answer of the human."""

    request_id: str
    approved: bool


class SvcTool(FunctionTool):
    """A tool of LlamaIndex. Only agents of the workflows can ask a human; elsewhere a call that needs approval fails.

    ``raw_output`` of its output is ``{"value", "payment", "blocks"}``: the result as JSON, the cost of a paid action,
    and the content blocks of a result that is more than JSON.
    """

    def __init__(self, tool: AgentTool) -> None:
        self._tool = tool

        async def answer(llamaindex_context: Context, **arguments: object) -> ToolOutput:
            return await self._answer(arguments, llamaindex_context)

        super().__init__(async_fn=answer, metadata=_metadata(tool))

    def call(self, *args: object, **kwargs: object) -> ToolOutput:
        return run_blocking(self._answer(kwargs, None))

    async def acall(self, *args: object, llamaindex_context: Context | None = None, **kwargs: object) -> ToolOutput:
        return await self._answer(kwargs, llamaindex_context)

    async def _answer(self, arguments: dict[str, object], context: Context | None) -> ToolOutput:
        request = await self._request(arguments)
        if request is not None and not await _is_approved(request, context):
            return self._output(arguments, declined_answer())
        on_progress = self._progress_writer(arguments, context)
        answer = await self._tool.answer(arguments, approved=request is not None, on_progress=on_progress)
        return self._output(arguments, answer)

    async def _request(self, arguments: dict[str, object]) -> ApprovalRequestEvent | None:
        """None for a call that needs no approval."""
        request = ApprovalRequestEvent(
            request_id=_digest(self._tool.name, arguments), tool_name=self._tool.name, tool_kwargs=arguments
        )
        try:
            resolved = (await self._tool.decide(arguments)).needed
        except SvcError:
            return request
        if resolved is None:
            return None
        if "approval" in resolved and "id" in resolved["approval"]:
            request.request_id = resolved["approval"]["id"]
        return request.model_copy(update=question_about(resolved))

    def _progress_writer(
        self, arguments: dict[str, object], context: Context | None
    ) -> Callable[[Progress], None] | None:
        if context is None:
            return None
        return lambda progress: context.write_event_to_stream(
            SvcProgressEvent(tool_name=self._tool.name, tool_kwargs=arguments, progress=progress)
        )

    def _output(self, arguments: dict[str, object], answer: ToolAnswer) -> ToolOutput:
        media = answer.media if self._tool.images else ()
        return ToolOutput(
            tool_name=self._tool.name,
            blocks=[TextBlock(text=answer.content), *map(_to_block, media)],
            raw_input=arguments,
            raw_output={"value": answer.value, "payment": answer.payment, "blocks": list(answer.blocks)},
            is_error=answer.error is not None,
        )


async def _is_approved(request: ApprovalRequestEvent, context: Context | None) -> bool:
    """LlamaIndex runs the step again when the human has answered. The answer counts for the same question only."""
    if context is None:
        return False
    response = await context.wait_for_event(
        ApprovalResponseEvent,
        waiter_event=request,
        requirements={"request_id": request.request_id},
        timeout=None,
    )
    return response.approved


def _metadata(tool: AgentTool) -> ToolMetadata:
    return ToolMetadata(
        name=tool.name, description=tool.description, fn_schema=arguments_model(tool.name, tool.parameters)
    )


def _to_block(media: ModelMedia) -> ContentBlock:
    data = base64.b64decode(media.data)
    if media.media_type.startswith("image/"):
        return ImageBlock(image=data, image_mimetype=media.media_type)
    return DocumentBlock(data=data, document_mimetype=media.media_type, title=media.name)


def _digest(name: str, arguments: dict[str, object]) -> str:
    """A key of the call, the same when LlamaIndex runs the step again. LlamaIndex does not pass the id of the call."""
    return hashlib.sha256(to_canonical_json([name, arguments]).encode()).hexdigest()
