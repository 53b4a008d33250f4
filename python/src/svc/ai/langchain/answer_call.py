"""The answer to one call of a tool."""

from collections.abc import Callable
from typing import Any

from langchain_core.messages import ToolMessage

from svc.ai.agent_tool import AgentTool
from svc.protocol.http import Progress
from svc.tools import ModelMedia, ToolAnswer


async def answer_call(
    tool: AgentTool, arguments: Any, tool_call_id: str | None, write: Callable[[Any], None] | None
) -> ToolMessage | str:
    """Answers the call.

    The content is a text, unless there are images: LangChain takes a list of dictionaries with a ``type`` for content
    blocks. The ``artifact`` of the message holds the blocks of the result, its ``response_metadata`` the payment.

    Args:
        tool_call_id: None for a call that is not a model's. Such a caller gets the exception of a failure.
        write: gets ``{"tool_call_id", "progress"}`` while the action runs.
    """

    def on_progress(progress: Progress) -> None:
        if write is not None:
            write({"tool_call_id": tool_call_id, "progress": progress})

    answer = await tool.answer(arguments, tool_call_id=tool_call_id, on_progress=on_progress if write else None)
    if tool_call_id is None:
        if answer.error is not None:
            raise answer.error
        return answer.content
    # Not an exception: LangGraph would end the run.
    return ToolMessage(
        content=_content(answer, tool.images),
        artifact=answer.blocks or None,
        response_metadata={} if answer.payment is None else {"payment": answer.payment},
        status="success" if answer.error is None else "error",
        tool_call_id=tool_call_id,
        name=tool.name,
    )


def _content(answer: ToolAnswer, images: bool) -> str | list[str | dict[str, Any]]:
    shown = [media for media in answer.media if images and media.media_type.startswith("image/")]
    if not shown:
        return answer.content
    return [{"type": "text", "text": answer.content}, *map(_image_block, shown)]


def _image_block(media: ModelMedia) -> dict[str, Any]:
    return {"type": "image", "base64": media.data, "mime_type": media.media_type}
