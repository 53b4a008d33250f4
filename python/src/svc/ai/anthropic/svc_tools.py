"""Tools, and the answers to their calls in a loop of your own."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from svc.ai.anthropic.content import to_content
from svc.ai.anthropic.svc_tool import CODE_EXECUTION, SvcTool
from svc.errors import SvcError
from svc.protocol.program_calls import PROGRAM
from svc.tools import CallPaymentCallback, CallProgressCallback, ToolAnswer, ToolCall, Tools

#: Seconds. The API ends a call of a program after four minutes, and the program may then make it again.
_LONGEST = 200.0


class NextRequest(TypedDict):
    """The next request after a message of the API.

    Attributes:
        messages: to add: that of the model, and the results of its calls.
        container: of the next request, which the API requires while a program waits for a result. None: there is none.
        done: the model has ended: make no further request.
    """

    messages: list[Any]
    container: str | None
    done: bool


class SvcTools(list[Any]):
    """Tools for ``messages.create(tools=…)`` and for tool runners of ``AsyncAnthropic``."""

    def __init__(self, tools: Iterable[SvcTool], client: Tools) -> None:
        listed = list(tools)
        hosted = [dict(CODE_EXECUTION)] if any("allowed_callers" in tool for tool in listed) else []
        super().__init__([*hosted, *listed])
        self._client = client

    async def call_tools(
        self,
        content: object,
        *,
        idempotency_key: str | None = None,
        on_progress: CallProgressCallback | None = None,
        on_payment: CallPaymentCallback | None = None,
    ) -> list[Any]:
        """Answers the ``tool_use`` blocks of ``message.content``: one ``tool_result`` for each, in order.

        A failure is an answer too. Empty for a message without such blocks; tools that the API runs itself have other
        types of blocks, which need no answer.

        Args:
            content: the objects of ``anthropic``, or dictionaries.
            idempotency_key: as in ``Tools.call_tools``.
            on_progress: called with the progress and the id of the block.
            on_payment: called for each result of a paid action, with the id of the block.
        """
        blocks = _tool_uses(content)
        calls = [_to_call(block) for block in blocks]
        answers = await self._client.answer_calls(
            calls, idempotency_key=idempotency_key, on_progress=on_progress, on_payment=on_payment
        )
        return [_to_result(block, answer) for block, answer in zip(blocks, answers, strict=True)]


def next_request(message: object, results: Sequence[object]) -> NextRequest:
    """Goes on after a message, also in the middle of a program: its results are a user message of their own, and its
    container stays.

    ```python
    following = next_request(message, await tools.call_tools(message.content))
    messages += following["messages"]
    ```

    Args:
        message: the object of ``anthropic``, or a dictionary.
        results: of ``call_tools(message.content)``.
    """
    whole = _as_mapping(message)
    container = whole.get("container")
    answers = [{"role": "user", "content": list(results)}] if results else []
    return {
        "messages": [{"role": "assistant", "content": whole["content"]}, *answers],
        "container": None if container is None else str(_as_mapping(container)["id"]),
        "done": not results and whole.get("stop_reason") != "pause_turn",
    }


def _tool_uses(content: object) -> list[Mapping[str, object]]:
    if not isinstance(content, Sequence):
        raise SvcError("INVALID_REQUEST", "call_tools takes the list `message.content`, not the message")
    # The content of a message may be a text.
    blocks = [_as_mapping(block) for block in content if not isinstance(block, str)]
    return [block for block in blocks if block.get("type") == "tool_use"]


def _to_call(block: Mapping[str, object]) -> ToolCall:
    call_id, name, arguments = str(block["id"]), str(block["name"]), block["input"]
    if not _is_code(block.get("caller")):
        return ToolCall(call_id, name, arguments)
    return ToolCall(call_id, name, arguments, made_by=PROGRAM, longest=_LONGEST)


def _to_result(block: Mapping[str, object], answer: ToolAnswer) -> dict[str, object]:
    # The API refuses images and documents in the result of a call that its code execution made.
    content = answer.content if _is_code(block.get("caller")) else to_content(answer)
    result = {"type": "tool_result", "tool_use_id": block["id"], "content": content}
    return result if answer.error is None else {**result, "is_error": True}


def _is_code(caller: object) -> bool:
    return caller is not None and _as_mapping(caller).get("type") != "direct"


def _as_mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else vars(value)
