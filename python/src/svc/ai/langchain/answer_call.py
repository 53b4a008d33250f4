"""The answer to one call of a tool."""

from collections.abc import Callable

from langchain_core.messages import ToolMessage

from svc.ai.agent_tool import AgentTool, ProgramTool
from svc.ai.langchain.approval import Approval
from svc.protocol.http import Progress
from svc.tools import ModelMedia, ToolAnswer
from svc.tools.definitions import INVOKE_TOOL
from svc.tools.model_text import to_code_text


def program_of(tool: AgentTool) -> ProgramTool | None:
    """LangChain does not say which calls a program made, so the service could not refuse one."""
    return None if tool.name == INVOKE_TOOL else tool.program


async def answer_call(
    tool: AgentTool, approval: Approval, tool_call_id: str | None, write: Callable[[object], None] | None
) -> ToolMessage | str:
    """Answers the call.

    The content is a text, unless there are images: LangChain takes a list of dictionaries with a ``type`` for content
    blocks. The ``artifact`` of the message holds the blocks of the result, its ``response_metadata`` the payment.

    Args:
        tool_call_id: None for a call that no model made; its failure raises the exception.
        write: gets ``{"tool_call_id", "progress"}`` while the action runs.
    """

    def on_progress(progress: Progress) -> None:
        if write is not None:
            write({"tool_call_id": tool_call_id, "progress": progress})

    answer = await tool.answer(
        approval.arguments,
        tool_call_id=approval.tool_call_id,
        idempotency_key=approval.idempotency_key,
        **approval.options,
        on_progress=on_progress if write else None,
    )
    if tool_call_id is None:
        if answer.error is not None:
            raise answer.error
        return answer.content
    if answer.error is not None:
        return failed_message(tool, tool_call_id, answer.content)
    return ToolMessage(
        content=_content(answer, tool.images) if program_of(tool) is None else to_code_text(answer.value),
        artifact=answer.blocks or None,
        response_metadata={} if answer.payment is None else {"payment": answer.payment},
        tool_call_id=tool_call_id,
        name=tool.name,
    )


def failed_message(tool: AgentTool, tool_call_id: str | None, content: str) -> ToolMessage:
    return ToolMessage(content=content, status="error", tool_call_id=tool_call_id or "", name=tool.name)


def _content(answer: ToolAnswer, images: bool) -> str | list[str | dict[str, object]]:
    shown = [media for media in answer.media if images and media.media_type.startswith("image/")]
    if not shown:
        return answer.content
    return [{"type": "text", "text": answer.content}, *map(_image_block, shown)]


def _image_block(media: ModelMedia) -> dict[str, object]:
    return {"type": "image", "base64": media.data, "mime_type": media.media_type}
