"""The message of role ``tool`` for a call that failed, or did not run."""

from svc.client.message import Message
from svc.protocol.json_text import to_json


def error_result(call: dict[str, object], error: object) -> Message:
    """The message with the error for the model."""
    return {"role": "tool", "tool_call_id": call["id"], "content": to_json({"error": error})}
