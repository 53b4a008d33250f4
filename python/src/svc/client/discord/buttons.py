"""Two buttons under a question. ``custom_id`` has up to 100 characters, holds the question's id, and is part of the
press.
"""

import re
from typing import Any

from svc.client.base import Answer, Question

#: Discord's numbers: a row of components, a button, and its colours green and red.
_ROW, _BUTTON, _GREEN, _RED = 1, 2, 3, 4
_CUSTOM_ID = re.compile(r"svc:(yes|no):(.+)")


def buttons_for(question: Question) -> list[dict[str, object]]:
    yes = {"type": _BUTTON, "style": _GREEN, "label": "Yes", "custom_id": f"svc:yes:{question.id}"}
    no = {"type": _BUTTON, "style": _RED, "label": "No", "custom_id": f"svc:no:{question.id}"}
    return [{"type": _ROW, "components": [yes, no]}]


def read_button(press: dict[str, Any]) -> Answer | None:
    """None for a button of another program."""
    match = _CUSTOM_ID.fullmatch(press["data"].get("custom_id", ""))
    return Answer(question_id=match[2], approved=match[1] == "yes") if match else None
