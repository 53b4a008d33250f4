"""Converts the message of a model to the shape that the next request needs."""

from collections.abc import Sequence

from svc.client.message import Message
from svc.protocol.json_text import from_json


def read_model_message(message: Message, step: int) -> Message:
    """Each call gets an id of its own.

    A result names its call by the id, and some servers leave ids out or repeat them. An empty list of calls is left
    out, which OpenAI refuses in a request.
    """
    others = {name: value for name, value in message.items() if name != "tool_calls"}
    calls = message.get("tool_calls")
    if not isinstance(calls, list) or not calls:
        return {**others, "role": "assistant"}
    seen = set[str]()
    named = []
    for index, call in enumerate(calls):
        call_id = call.get("id")
        if not call_id or call_id in seen:
            call_id = f"call_{step}_{index}"
        seen.add(call_id)
        named.append({**call, "id": call_id})
    return {**others, "role": "assistant", "tool_calls": named}


def calls_of(messages: Sequence[Message]) -> list[dict[str, object]]:
    """The calls of the last message, if it is one of the model."""
    last = messages[-1] if messages else {}
    return (last.get("tool_calls") or []) if last.get("role") == "assistant" else []


def steps_in(messages: Sequence[Message]) -> int:
    """The number of the model's messages in a turn."""
    return sum(message["role"] == "assistant" for message in messages)


def is_unreachable(messages: Sequence[Message], times: int) -> bool:
    """True if the newest results are that many failures in a row to reach the service."""
    newest = [message for message in messages if message["role"] == "tool"][-times:]
    return len(newest) == times and all(
        _error_code_of(message.get("content")) == "SERVICE_UNREACHABLE" for message in newest
    )


def _error_code_of(content: object) -> object:
    if not isinstance(content, str) or not content.startswith('{"error":'):
        return None
    try:
        error = from_json(content)["error"]
    except ValueError:
        # A long error text is cut and is then not valid JSON.
        return None
    return error.get("code") if isinstance(error, dict) else None
