"""Parses the JSON of a model. The error messages name the correction for the model."""

import math
from typing import Any

from svc.errors import SvcError
from svc.protocol.json_text import from_exact_json
from svc.protocol.safe_numbers import require_safe_numbers
from svc.tools.definitions import SEARCH_TOOL

_MAX_SEARCH_LIMIT = 50


def read_arguments(tool: str, arguments: object) -> Any:
    """The arguments of a tool call.

    An empty text is ``{}``: many models send it for a tool without arguments. JSON inside a JSON string is decoded
    too: some servers encode twice.

    Raises:
        SvcError: INVALID_REQUEST for broken JSON, INVALID_PAYLOAD for a number with too many digits
    """
    if arguments is None:
        return {}
    if not isinstance(arguments, str):
        return arguments
    if not arguments.strip():
        return {}
    value = _parse(tool, arguments)
    return _parse(tool, value) if isinstance(value, str) else value


def read_search_arguments(arguments: object) -> tuple[str, int | None]:
    """The query and the limit of a search. A wrong limit is corrected: the model should not have to search again.

    Raises:
        SvcError: INVALID_REQUEST without a query
    """
    members = arguments if isinstance(arguments, dict) else {}
    query = members.get("query")
    if not isinstance(query, str) or not query.strip():
        raise SvcError(
            "INVALID_REQUEST", f'{SEARCH_TOOL} needs {{"query": "…"}}: what an action should do, in plain words'
        )
    return query, _read_limit(members.get("limit"))


def _read_limit(value: Any) -> int | None:
    try:
        wanted = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return min(int(wanted), _MAX_SEARCH_LIMIT) if math.isfinite(wanted) and wanted >= 1 else None


def _parse(tool: str, text: str) -> Any:
    try:
        value = from_exact_json(text)
    except ValueError as error:
        raise SvcError(
            "INVALID_REQUEST", f"The arguments of {tool} are not valid JSON ({error}). Send one JSON object."
        ) from None
    if tool != SEARCH_TOOL:
        require_safe_numbers(text)
    return value
