"""A tool of Google ADK."""

import base64

from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from svc.ai.agent_tool import AgentTool, declined_answer, question_about
from svc.errors import SvcError
from svc.tools import ModelMedia, ToolAnswer

#: The Gemini API refuses this media type in the result of a function.
_GIF = "image/gif"


class SvcTool(BaseTool):
    """A tool of Google ADK. Its result is ``{"output": …}`` or ``{"error": …}``."""

    def __init__(self, tool: AgentTool) -> None:
        super().__init__(name=tool.name, description=tool.description)
        self._tool = tool

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=self._tool.parameters
        )

    async def run_async(self, *, args: dict[str, object], tool_context: ToolContext) -> dict[str, object]:
        confirmation = tool_context.tool_confirmation
        if confirmation is None and await self._asks(args, tool_context):
            return {"error": "This call waits for the approval of a human"}
        if confirmation is not None and not confirmation.confirmed:
            return self._result(declined_answer())
        return self._result(
            await self._tool.answer(args, tool_call_id=tool_context.function_call_id, approved=confirmation is not None)
        )

    async def _asks(self, args: dict[str, object], tool_context: ToolContext) -> bool:
        """Asks a human if the call needs it."""
        try:
            resolved = (await self._tool.decide(args)).needed
        except SvcError:
            tool_context.request_confirmation()
        else:
            if resolved is None:
                return False
            question = question_about(resolved)
            tool_context.request_confirmation(hint=question["description"], payload=question)
        # Otherwise the model would answer before the human.
        tool_context.actions.skip_summarization = True
        return True

    def _result(self, answer: ToolAnswer) -> dict[str, object]:
        # The API's names are "output" and "error"; the value of a failure is `{"error": …}` already.
        result = {"output": answer.value} if answer.error is None else answer.value
        media = [_to_part(each) for each in answer.media if self._tool.images and each.media_type != _GIF]
        return {**result, "media": media} if media else result


def _to_part(media: ModelMedia) -> types.Part:
    """ADK moves parts out of a result, into the parts of the function response."""
    return types.Part.from_bytes(data=base64.b64decode(media.data), mime_type=media.media_type)
