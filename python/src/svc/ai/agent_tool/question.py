"""The question to a human about one call, and the model's answer after a "no"."""

from typing import TypedDict

from svc.ai.agent_tool.model_answer import failed_answer
from svc.errors import SvcError
from svc.protocol.http import Payment, ResolveResponse
from svc.tools import ToolAnswer, describe_call


class Question(TypedDict):
    """The call that would run, not the text of the model."""

    action: str
    payload: dict[str, object]
    #: The price of a paid action.
    payment: Payment | None
    #: The call in a line for the human, by ``describe_call``.
    description: str


def question_about(resolved: ResolveResponse) -> Question:
    action = resolved["action"]
    return {
        "action": action["action"],
        "payload": resolved["payload"],
        "payment": action.get("payment"),
        "description": describe_call(resolved),
    }


def declined_answer() -> ToolAnswer:
    return failed_answer(
        SvcError(
            "INVALID_REQUEST",
            "A human did not approve this call. Do not make it again unless the user asks for it.",
        )
    )
