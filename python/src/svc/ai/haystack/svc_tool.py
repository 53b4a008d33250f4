"""A tool of Haystack."""

from collections.abc import Awaitable

from haystack.dataclasses import FileContent, ImageContent, StreamingChunk, TextContent
from haystack.dataclasses.streaming_chunk import StreamingCallbackT
from haystack.tools.tool import Tool

from svc.ai.agent_tool import AgentTool, ApprovedCall, Decision, run_blocking
from svc.protocol.http import Progress
from svc.tools import ModelMedia, ToolAnswer
from svc.tools.canonical_json import to_canonical_json

_Content = TextContent | ImageContent | FileContent


class SvcTool(Tool):
    """A tool of Haystack. Its result is the text for the model, with ``images`` perhaps also the images."""

    def __init__(self, tool: AgentTool) -> None:
        self._tool = tool
        #: Approved calls that have not run yet, by their arguments: Haystack does not pass the id of a call.
        self._approved: dict[str, ApprovedCall] = {}
        super().__init__(
            name=tool.name,
            description=tool.description,
            parameters=tool.parameters,
            function=self._run,
            async_function=self._answer,
            outputs_to_string={"raw_result": True},
        )

    async def decide(self, arguments: dict[str, object]) -> Decision:
        """Decides whether a human has to approve a call before it runs.

        Raises:
            SvcError: when the service cannot be asked.
        """
        return await self._tool.decide(arguments)

    def approve(self, arguments: dict[str, object], decision: Decision) -> None:
        """Lets the next call with these arguments run, as the human saw it."""
        self._approved[to_canonical_json(arguments)] = decision.call_options

    def _run(self, streaming_callback: StreamingCallbackT | None = None, **arguments: object) -> str | list[_Content]:
        return run_blocking(self._answer(streaming_callback, **arguments))

    async def _answer(
        self, streaming_callback: StreamingCallbackT | None = None, **arguments: object
    ) -> str | list[_Content]:
        def on_progress(progress: Progress) -> Awaitable[None] | None:
            chunk = StreamingChunk(content="", meta={"tool_name": self.name, "progress": progress})
            return None if streaming_callback is None else streaming_callback(chunk)

        approved = self._approved.pop(to_canonical_json(arguments), ApprovedCall())
        # Returns a failure as a value: an exception would show the model the arguments as Python text.
        return self._to_result(await self._tool.answer(arguments, on_progress=on_progress, **approved))

    def _to_result(self, answer: ToolAnswer) -> str | list[_Content]:
        media = answer.media if self._tool.images else ()
        return [TextContent(answer.content), *map(_to_content, media)] if media else answer.content


def _to_content(media: ModelMedia) -> _Content:
    if media.media_type.startswith("image/"):
        return ImageContent(media.data, media.media_type, validation=False)
    return FileContent(media.data, media.media_type, media.name, validation=False)
