"""The model's answer for a failure in the adapter itself."""

from svc.errors import SvcError
from svc.protocol.json_text import to_json
from svc.tools import ToolAnswer


def failed_answer(error: SvcError) -> ToolAnswer:
    """The answer that a failed call of ``Tools`` has."""
    value = {"error": error.to_json()}
    return ToolAnswer(value=value, content=to_json(value), error=error)
