"""Ends a turn early, so that its messages are a conversation that every model accepts."""

from collections.abc import Sequence

from svc.agent.turns.model_message import calls_of
from svc.agent.turns.user_message import to_user_message
from svc.client.message import Message
from svc.client.message_context import MessageContext
from svc.protocol.json_text import to_json

_MAY_HAVE_RUN = to_json(
    {"error": {"code": "INVOCATION_CANCELLED", "message": "It may have run: check before you call it again"}}
)


def closing_messages(ctx: MessageContext, written: Sequence[Message], text: str) -> list[Message]:
    """The messages that complete a turn: the person's message if none is written, a result for each call without one,
    and the text that the person reads.
    """
    asked = [] if written else [to_user_message(ctx)]
    lost = [
        {"role": "tool", "tool_call_id": call.get("id"), "content": _MAY_HAVE_RUN} for call in calls_of(written[-1:])
    ]
    return [*asked, *lost, {"role": "assistant", "content": text}]
