"""A conversation on the stage: the scripted model makes the calls of a test, the driver's framework runs them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.ai.driver import Conversing, Driver
from tests.ai.stage import DONE as DONE
from tests.ai.stage import Stage

#: A call of the model: ``name``, ``arguments`` as an object or as text, and perhaps an ``id``.
Call = dict[str, Any]


@dataclass(frozen=True)
class Told:
    """The messages to the model, and the questions to the human."""

    #: The model's last words.
    text: str
    #: The arguments of each call that needed approval.
    asked: list[Any]
    #: The answers of the tools, in the order of the calls.
    outputs: list[Any]
    #: The tools that the model was offered.
    offered: list[dict[str, Any]]
    #: The bodies of the requests to the model.
    requests: list[str]


def invoke(action: str, payload: dict[str, Any], **call: Any) -> Call:
    return {"name": "invoke_service", "arguments": {"action": action, "payload": payload}, **call}


async def converse(
    stage: Stage,
    driver: Driver,
    turns: Sequence[Sequence[Call]],
    *,
    options: dict[str, Any] | None = None,
    on_progress: Callable[[Any], None] = lambda shown: None,
    on_payment: Callable[[Any], None] = lambda shown: None,
    approve: Callable[[Any], bool] = lambda arguments: True,
) -> Told:
    """Scripts the model to make these calls, one list per turn.

    Args:
        options: of ``svc_tools``. Default: the ``Tools`` of the stage.
        approve: the human's answer.
    """
    model = stage.open_model([[{**call, "name": driver.as_named(call["name"])} for call in turn] for turn in turns])
    asked: list[Any] = []

    def ask(arguments: Any) -> bool:
        asked.append(arguments)
        return approve(arguments)

    seen: dict[str, Any] = {}
    try:
        text = await driver.converse(
            Conversing(
                question="Please do it.",
                options={"tools": stage.tools} if options is None else options,
                model=model,
                on_progress=on_progress,
                on_payment=on_payment,
                approve=ask,
            )
        )
    finally:
        seen = stage.close_model(model)
    conversation = seen["conversation"]
    return Told(
        text=text,
        asked=asked,
        outputs=[driver.understand(call.get("output")) for turn in conversation["turns"] for call in turn],
        offered=conversation["offered"],
        requests=seen["requests"],
    )


def as_text(output: Any) -> str:
    return json.dumps(output, ensure_ascii=False)
