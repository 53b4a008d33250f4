"""The Responses API."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, cast

from svc.ai.agent_tool import AgentTool, ProgramTool, ReadOptions
from svc.errors import SvcError
from svc.protocol.program_calls import PROGRAM
from svc.tools import CallPaymentCallback, CallProgressCallback, ModelMedia, ToolAnswer, ToolCall


class NextRequest(TypedDict):
    """The next request after a response of the Responses API.

    Attributes:
        input: the items to add to the ``input`` of the request before: those of the response, and the answers to its
            calls.
        done: the model has ended: make no further request.
    """

    input: list[Any]
    done: bool


class SvcResponsesTools(list[Any]):
    """Tools for ``responses.create(tools=…)``, and the answers to their calls."""

    def __init__(self, tools: list[AgentTool], options: ReadOptions) -> None:
        hosted = [{"type": "programmatic_tool_calling"}] if any(tool.program for tool in tools) else []
        super().__init__([*hosted, *map(_to_function, tools)])
        self._options = options

    async def call_tools(
        self,
        output: object,
        *,
        idempotency_key: str | None = None,
        on_progress: CallProgressCallback | None = None,
        on_payment: CallPaymentCallback | None = None,
    ) -> list[Any]:
        """Answers the ``function_call`` items of ``response.output``: one item for each, in order.

        A failure is an answer too. Items of other types need no answer.

        Args:
            output: the objects of ``openai``, or dictionaries.
            idempotency_key: as in ``Tools.call_tools``.
            on_progress: called with the progress and the ``call_id``.
            on_payment: called for each result of a paid action, with the ``call_id``.
        """
        items = _function_calls(output)
        calls = [
            ToolCall(
                str(item["call_id"]),
                str(item["name"]),
                item["arguments"],
                made_by=PROGRAM if _is_program(item) else None,
            )
            for item in items
        ]
        answers = await self._options.client.answer_calls(
            calls, idempotency_key=idempotency_key, on_progress=on_progress, on_payment=on_payment
        )
        images = self._options.rules.images
        return [_to_item(item, answer, images) for item, answer in zip(items, answers, strict=True)]


def next_request(response: object, results: Sequence[object]) -> NextRequest:
    """Goes on after a response, also in the middle of a program, where a response may have neither a call nor a
    message.

    ```python
    following = next_request(response, await tools.call_tools(response.output))
    input += following["input"]
    ```

    Args:
        response: the object of ``openai``, or a dictionary.
        results: of ``call_tools(response.output)``, and of your own tools.
    """
    whole = _as_mapping(response)
    output = cast(Sequence[object], whole["output"])
    kinds = {_as_mapping(item).get("type") for item in output}
    in_program = not kinds.isdisjoint({"program", "program_output"}) and "message" not in kinds
    goes_on = in_program and (whole.get("status") or "completed") == "completed"
    return {"input": [*output, *results], "done": not results and not goes_on}


def _to_function(tool: AgentTool) -> dict[str, object]:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        # Strict functions allow no free-form payload.
        "strict": False,
        **_for_programs(tool.program),
    }


def _for_programs(program: ProgramTool | None) -> dict[str, object]:
    if program is None:
        return {}
    schema = {} if program.output_schema is None else {"output_schema": program.output_schema}
    return {"allowed_callers": ["direct", "programmatic"], **schema}


def _function_calls(output: object) -> list[Mapping[str, object]]:
    if not isinstance(output, Sequence) or isinstance(output, str | bytes):
        raise SvcError("INVALID_REQUEST", "call_tools takes the list `response.output`, not the response")
    return [item for item in map(_as_mapping, output) if item.get("type") == "function_call"]


def _to_item(item: Mapping[str, object], answer: ToolAnswer, images: bool) -> dict[str, object]:
    # The API gives the output of a program's call to that program, whose code reads texts.
    caller = dict(_as_mapping(item["caller"])) if item.get("caller") else None
    output = _to_output(answer, images and not _is_program(item))
    shown = {"type": "function_call_output", "call_id": item["call_id"], "output": output}
    return shown if caller is None else {**shown, "caller": caller}


def _is_program(item: Mapping[str, object]) -> bool:
    caller = item.get("caller")
    return bool(caller) and _as_mapping(caller).get("type") == "program"


def _as_mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else vars(value)


def _to_output(answer: ToolAnswer, images: bool) -> str | list[dict[str, str]]:
    if not images or not answer.media:
        return answer.content
    return [{"type": "input_text", "text": answer.content}, *map(_to_part, answer.media)]


def _to_part(media: ModelMedia) -> dict[str, str]:
    url = f"data:{media.media_type};base64,{media.data}"
    if media.media_type.startswith("image/"):
        return {"type": "input_image", "image_url": url, "detail": "auto"}
    return {"type": "input_file", "filename": media.name, "file_data": url}
