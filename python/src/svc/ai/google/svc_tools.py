"""Tools, and the answers to their calls in a loop of your own."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from google.genai import types

from svc.ai.agent_tool import AgentTool, ReadOptions
from svc.errors import SvcError
from svc.protocol.http import CallPayment, Progress
from svc.tools import ModelMedia, ToolAnswer, ToolCall

#: The API refuses this media type in the result of a function.
_GIF = "image/gif"


class SvcTools(list[Any]):
    """One tool with all functions in it, for ``config={"tools": …}``."""

    def __init__(self, tools: list[AgentTool], options: ReadOptions) -> None:
        declarations = [
            types.FunctionDeclaration(
                name=tool.name, description=tool.description, parameters_json_schema=tool.parameters
            )
            for tool in tools
        ]
        super().__init__([types.Tool(function_declarations=declarations)])
        self._options = options

    async def call_tools(
        self,
        function_calls: Sequence[types.FunctionCall] | None,
        *,
        idempotency_key: str | None = None,
        on_progress: Callable[[Progress, types.FunctionCall], Awaitable[None] | None] | None = None,
        on_payment: Callable[[CallPayment, types.FunctionCall], Awaitable[None] | None] | None = None,
    ) -> list[types.Part]:
        """Answers ``response.function_calls``: one part for each call, in order. A failure is an answer too.

        Args:
            function_calls: ``None`` gives ``[]``.
            idempotency_key: as in ``Tools.call_tools``.
            on_progress: called with the progress and the call.
            on_payment: called for each result of a paid action, with the call.
        """
        if isinstance(function_calls, types.GenerateContentResponse):
            raise SvcError("INVALID_REQUEST", "call_tools takes `response.function_calls`, not the response")
        calls = list(function_calls or ())
        # The API gives some calls no id: each has its place in the message then.
        ids = [call.id or str(place) for place, call in enumerate(calls)]
        by_id = dict(zip(ids, calls, strict=True))
        answers = await self._options.client.answer_calls(
            [ToolCall(call_id, call.name or "", call.args or {}) for call_id, call in zip(ids, calls, strict=True)],
            idempotency_key=idempotency_key,
            on_progress=on_progress and (lambda progress, call_id: on_progress(progress, by_id[call_id])),
            on_payment=on_payment and (lambda payment, call_id: on_payment(payment, by_id[call_id])),
        )
        images = self._options.rules.images
        return [_to_part(call, answer, images) for call, answer in zip(calls, answers, strict=True)]


def _to_part(call: types.FunctionCall, answer: ToolAnswer, images: bool) -> types.Part:
    # The API's names are "output" and "error"; the value of a failure is `{"error": …}` already.
    response = {"output": answer.value} if answer.error is None else answer.value
    shown = [media for media in answer.media if images and media.media_type != _GIF]
    return types.Part(
        function_response=types.FunctionResponse(
            id=call.id, name=call.name, response=response, parts=[_to_media(media) for media in shown] or None
        )
    )


def _to_media(media: ModelMedia) -> types.FunctionResponsePart:
    # pydantic reads base64 text as the bytes of a blob.
    blob = {"mime_type": media.media_type, "data": media.data}
    return types.FunctionResponsePart(inline_data=types.FunctionResponseBlob.model_validate(blob))
