"""A tool of the OpenAI Agents SDK."""

from weakref import WeakKeyDictionary

from agents import (
    FunctionTool,
    ProgrammaticToolCallingTool,
    RunContextWrapper,
    Tool,
    ToolOutputFileContent,
    ToolOutputImage,
    ToolOutputText,
)
from agents.tool import FunctionToolCustomDataContext
from agents.tool_context import ToolContext

from svc.ai.agent_tool import AgentTool
from svc.protocol.http import CallPayment
from svc.protocol.program_calls import PROGRAM
from svc.tools import ModelMedia, ToolAnswer

_Content = ToolOutputText | ToolOutputImage | ToolOutputFileContent


def to_agents_tools(tools: list[AgentTool]) -> list[Tool]:
    functions = map(_to_function_tool, tools)
    if not any(tool.program for tool in tools):
        return [*functions]
    return [ProgrammaticToolCallingTool(), *functions]


def _to_function_tool(tool: AgentTool) -> FunctionTool:
    # The Agents SDK asks for the custom data of a call on its own, after its end.
    payments: WeakKeyDictionary[ToolContext[object], CallPayment] = WeakKeyDictionary()

    async def run(context: ToolContext[object], arguments: str) -> str | list[_Content]:
        by_program = _is_program(context.tool_call)
        approved = context.is_tool_approved(tool.name, context.tool_call_id) is True
        answer = await tool.answer(
            arguments,
            tool_call_id=context.tool_call_id,
            approved=approved,
            made_by=PROGRAM if by_program else None,
        )
        if answer.payment is not None:
            payments[context] = answer.payment
        # A failure is an output too: an exception would end the run.
        return _to_output(answer, tool.images and not by_program)

    async def needs_approval(context: RunContextWrapper[object], arguments: dict[str, object], call_id: str) -> bool:
        # The Agents SDK asks here again before an approved call runs.
        return context.is_tool_approved(tool.name, call_id) is True or await tool.needs_approval(arguments)

    def custom_data(call: FunctionToolCustomDataContext) -> dict[str, object] | None:
        payment = payments.pop(call.tool_context, None)
        return None if payment is None else {"payment": payment}

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=tool.parameters,
        on_invoke_tool=run,
        # Strict functions allow no free-form payload.
        strict_json_schema=False,
        needs_approval=needs_approval,
        custom_data_extractor=custom_data,
        allowed_callers=["direct", "programmatic"] if tool.program else None,
        output_json_schema=tool.program.output_schema if tool.program else None,
    )


def _is_program(tool_call: object) -> bool:
    caller = getattr(tool_call, "caller", None)
    return caller is not None and caller.type == "program"


def _to_output(answer: ToolAnswer, images: bool) -> str | list[_Content]:
    if not images or not answer.media:
        return answer.content
    return [ToolOutputText(text=answer.content), *map(_to_content, answer.media)]


def _to_content(media: ModelMedia) -> _Content:
    url = f"data:{media.media_type};base64,{media.data}"
    if media.media_type.startswith("image/"):
        return ToolOutputImage(image_url=url)
    return ToolOutputFileContent(file_data=url, filename=media.name)
