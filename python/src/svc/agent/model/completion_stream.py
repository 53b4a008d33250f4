"""Reads a streamed chat completion.

Shape: the same as one that is not streamed.
Errors: ModelRequestError for an error in the stream, and for a stream that ends early.
"""

from collections.abc import AsyncIterator, Callable
from typing import Any

from svc.agent.model.merge_delta import merge_delta
from svc.agent.model.model_request_error import ModelRequestError
from svc.agent.model.providers import ModelServer
from svc.agent.model.refused_request import read_error_member
from svc.protocol.json_text import from_json
from svc.tools.sse import read_events


async def read_completion_stream(
    stream: AsyncIterator[bytes], server: ModelServer, on_text: Callable[[str], None]
) -> dict[str, Any]:
    """The whole completion.

    Args:
        stream: the body of the answer
        server: for errors
        on_text: called with the whole text so far
    """
    message: dict[str, Any] = {}
    usage: object = None
    is_whole = False
    async for event in read_events(stream):
        if event.data.strip() == "[DONE]":
            is_whole = True
            break
        chunk = _parse_chunk(event.data)
        if error := chunk.get("error"):
            raise read_error_member(error, server)
        usage = chunk.get("usage") or usage
        choice = _first_choice(chunk)
        delta = choice.get("delta")
        if isinstance(delta, dict):
            merge_delta(message, delta)
            if isinstance(delta.get("content"), str) and delta["content"]:
                on_text(str(message["content"]))
        if choice.get("finish_reason"):
            is_whole = True
    if not is_whole:
        raise ModelRequestError(f"The answer of {server.host} broke off")
    if isinstance(calls := message.get("tool_calls"), list):
        message["tool_calls"] = [{name: call[name] for name in call if name != "index"} for call in calls]
    return {"choices": [{"message": message}], "usage": usage}


def _first_choice(chunk: dict[str, Any]) -> dict[str, Any]:
    choices = chunk.get("choices") or []
    return next((choice for choice in choices if isinstance(choice, dict) and choice.get("index", 0) == 0), {})


def _parse_chunk(data: str) -> dict[str, Any]:
    try:
        chunk = from_json(data)
    except ValueError:
        raise ModelRequestError("The model's server sent a piece that is not JSON") from None
    return chunk if isinstance(chunk, dict) else {}
