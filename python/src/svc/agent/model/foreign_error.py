"""Reads the errors of other libraries' models: openai, anthropic, litellm, google-genai, httpx, and the developer's own
model function.

Errors: the result has no ``cause``: some of these errors hold the whole request.
"""

from collections.abc import Mapping
from typing import Any

from svc.agent.model.excerpt import excerpt_of
from svc.agent.model.model_request_error import ModelRequestError
from svc.agent.model.server_wait import read_server_wait
from svc.agent.model.too_long import is_too_long

#: Classes of libraries that are not imported here: openai and anthropic, httpx and httpx2, aiohttp.
_CONNECTION_ERRORS = frozenset(("APIConnectionError", "TransportError", "ClientConnectionError"))


def to_model_request_error(error: Exception) -> ModelRequestError | None:
    """A ModelRequestError for an HTTP failure or a lost connection; None for any other error, such as a bug of the
    program.
    """
    if isinstance(error, ModelRequestError):
        return error
    status = _status_of(error)
    if status is None and not _is_connection_error(error):
        return None
    text = "\n".join(str(part) for part in (error, getattr(error, "code", ""), getattr(error, "body", "")))
    said = excerpt_of(str(error)) or "The model failed"
    return ModelRequestError(
        f"{said}{_advice_for(status)}",
        status=status,
        retry_after=read_server_wait(_headers_of(error).get),
        is_too_long=is_too_long(status, text),
    )


def _status_of(error: Exception) -> int | None:
    response = getattr(error, "response", None)
    named = (
        getattr(error, "status_code", None),
        getattr(error, "status", None),
        getattr(response, "status_code", None),
        # google-genai has a text in `status` and the number here.
        getattr(error, "code", None),
    )
    status = next((value for value in named if isinstance(value, int) and not isinstance(value, bool)), None)
    # The server answered with success, and the library cannot read the answer.
    return 502 if status is not None and status < 400 else status


def _is_connection_error(error: Exception) -> bool:
    if isinstance(error, ConnectionError | TimeoutError):
        return True
    return any(kind.__name__ in _CONNECTION_ERRORS for kind in type(error).__mro__)


def _advice_for(status: int | None) -> str:
    if status in (401, 403):
        return " (check the key that the model function uses)"
    if status == 404:
        return " (check the model: set_model or SVC_MODEL, or the one that the model function names)"
    return ""


def _headers_of(error: Exception) -> Mapping[str, Any]:
    headers = getattr(getattr(error, "response", None), "headers", None) or getattr(error, "headers", None)
    return headers if isinstance(headers, Mapping) else {}
