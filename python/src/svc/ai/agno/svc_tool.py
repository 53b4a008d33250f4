"""A tool of Agno."""

import base64
from collections.abc import Awaitable, Callable

from agno.media import File, Image
from agno.tools.function import Function, FunctionCall, ToolResult
from agno.tools.toolkit import Toolkit

from svc.ai.agent_tool import AgentTool, run_blocking
from svc.tools import ModelMedia, ToolAnswer


class SvcTool(Toolkit):
    """A toolkit of one function, because only a toolkit has a blocking and an asynchronous form of it.

    ``requires_confirmation`` pauses a run before each call of the function. It is set for a static action that is
    declared ``destructive``.
    """

    def __init__(self, tool: AgentTool) -> None:
        super().__init__(tool.name)
        self._tool = tool
        self.functions = {tool.name: _to_function(tool, self._run)}
        self.async_functions = {tool.name: _to_function(tool, self._answer)}
        self.requires_confirmation = bool((tool.definition.get("annotations") or {}).get("destructive"))

    @property
    def requires_confirmation(self) -> bool:
        return self.functions[self.name].requires_confirmation is True

    @requires_confirmation.setter
    def requires_confirmation(self, required: bool) -> None:
        for form in (self.functions, self.async_functions):
            # None, because Agno sends False to the model.
            form[self.name].requires_confirmation = required or None

    def _run(self, fc: FunctionCall, **arguments: object) -> ToolResult:
        return run_blocking(self._answer(fc, **arguments))

    async def _answer(self, fc: FunctionCall, **arguments: object) -> ToolResult:
        # Returns a failure as a value, because Agno logs exceptions with their traces.
        return self._to_result(await self._tool.answer(arguments, tool_call_id=fc.call_id))

    def _to_result(self, answer: ToolAnswer) -> ToolResult:
        media = answer.media if self._tool.images else ()
        images = [each for each in media if each.media_type.startswith("image/")]
        files = [each for each in media if each not in images]
        return ToolResult(
            content=answer.content, images=[*map(_to_image, images)] or None, files=[*map(_to_file, files)] or None
        )


def _to_function(tool: AgentTool, entrypoint: Callable[..., ToolResult | Awaitable[ToolResult]]) -> Function:
    return Function(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        entrypoint=entrypoint,
        # Keeps the schema as it is.
        skip_entrypoint_processing=True,
        # A strict schema allows no free-form payload.
        strict=False,
    )


def _to_image(media: ModelMedia) -> Image:
    return Image(content=base64.b64decode(media.data), mime_type=media.media_type)


def _to_file(media: ModelMedia) -> File:
    return File(content=base64.b64decode(media.data), mime_type=media.media_type, filename=media.name)
