"""A tool of Pydantic AI."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic_ai import ApprovalRequired, BinaryContent, CustomEvent, RunContext, Tool, ToolReturn
from pydantic_core import SchemaValidator, core_schema

from svc.ai.agent_tool import AgentTool, question_about
from svc.errors import SvcError
from svc.protocol.http import Progress
from svc.tools import ModelMedia, ToolAnswer


@dataclass(kw_only=True)
class SvcProgressEvent(CustomEvent):
    """The progress of a call, in the event stream of the run: ``{"progress", "total", "message"}``, as in MCP.

    ``tool_call_id`` names the call.
    """

    progress: Mapping[str, Any]


def to_tool(tool: AgentTool) -> Tool[object]:
    async def call(ctx: RunContext[object], /, **arguments: object) -> ToolReturn[str | list[str | BinaryContent]]:
        if not ctx.tool_call_approved:
            await _require_approval(tool, arguments)

        async def on_progress(progress: Progress) -> None:
            await ctx.emit(SvcProgressEvent(progress=progress))

        answer = await tool.answer(
            arguments, tool_call_id=ctx.tool_call_id, approved=ctx.tool_call_approved, on_progress=on_progress
        )
        # Returns a failure as a value: the text of `ToolFailed` would be JSON in JSON.
        return ToolReturn(return_value=_return_value(answer, tool.images), metadata=_metadata(answer))

    made = Tool.from_schema(call, tool.name, tool.description, tool.parameters, takes_ctx=True)
    # A strict schema allows no free-form payload.
    made.strict = False
    made.function_schema = replace(made.function_schema, validator=_ANY_ARGUMENTS)
    return made


async def _require_approval(tool: AgentTool, arguments: dict[str, object]) -> None:
    """The metadata of the request shows the call that would run: ``{"action", "payload", "payment", "description"}``.

    Raises:
        ApprovalRequired: for a call that a human has to approve.
    """
    try:
        resolved = (await tool.decide(arguments)).needed
    except SvcError:
        raise ApprovalRequired() from None
    if resolved is None:
        return
    raise ApprovalRequired({**question_about(resolved)})


def _return_value(answer: ToolAnswer, images: bool) -> str | list[str | BinaryContent]:
    """A text, because Pydantic AI would take some objects of a result for files."""
    shown = [_to_binary(media) for media in answer.media if images]
    return [answer.content, *shown] if shown else answer.content


def _to_binary(media: ModelMedia) -> BinaryContent:
    return BinaryContent(data=base64.b64decode(media.data), media_type=media.media_type)


def _metadata(answer: ToolAnswer) -> dict[str, object] | None:
    """The metadata of the ``ToolReturnPart``; models do not read it."""
    metadata = {
        "payment": answer.payment,
        "blocks": list(answer.blocks),
        "error": None if answer.error is None else answer.error.to_json(),
    }
    return {name: value for name, value in metadata.items() if value} or None


def _as_object(arguments: object) -> dict[str, object]:
    """Arguments that are not an object would end the run."""
    return arguments if isinstance(arguments, dict) else {}


#: The service validates: it corrects small mistakes that a schema refuses, and explains the other mistakes better.
_ANY_ARGUMENTS = SchemaValidator(core_schema.no_info_plain_validator_function(_as_object))
