"""The error for an unsuccessful answer, with the setting to change."""

from collections.abc import Mapping

from svc.agent.model.excerpt import excerpt_of
from svc.agent.model.model_request_error import ModelRequestError
from svc.agent.model.providers import ModelServer
from svc.agent.model.server_wait import read_server_wait
from svc.agent.model.too_long import is_too_long
from svc.protocol.json_text import from_json, quoted, to_json


def refused_request(server: ModelServer, status: int, headers: Mapping[str, str], text: str) -> ModelRequestError:
    """The error of an answer whose status is not 200."""
    if status < 400:
        # The key must not travel to another server, so a redirect is not followed.
        return ModelRequestError(
            f"{server.host} answered {status}, which is not an answer of chat completions. Check the address.",
            status=502,
        )
    return _refusal(server, status, text, read_server_wait(headers.get))


def read_error_member(error: object, server: ModelServer) -> ModelRequestError:
    """An error inside an answer with status 200, streamed or not: ``{error: {code, message}}`` of OpenRouter."""
    members = error if isinstance(error, dict) else {}
    code = members.get("code", members.get("status_code"))
    try:
        status = int(code)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        status = 0
    return _refusal(server, status if 400 <= status < 600 else 502, to_json({"error": error}), None)


def _refusal(server: ModelServer, status: int, text: str, retry_after: float | None) -> ModelRequestError:
    said = excerpt_of(_message_in(text), server.key)
    what = f"{server.host} answered {status}: {said}" if said else f"{server.host} answered {status}"
    advice = _advice_for(status, server)
    return ModelRequestError(
        f"{what} ({advice})" if advice else what,
        status=status,
        retry_after=retry_after,
        is_too_long=is_too_long(status, text),
    )


def _advice_for(status: int, server: ModelServer) -> str | None:
    if status in (401, 403):
        if not server.key_variable:
            return "this provider takes no key here; set OPENAI_BASE_URL and OPENAI_API_KEY for a server that wants one"
        return f"check the key in {server.key_variable}" if server.key else f"set {server.key_variable}"
    if status == 404:
        return f"check the model {quoted(server.model)}: get_model shows it, set_model or SVC_MODEL sets another"
    return None


def _message_in(text: str) -> str:
    try:
        body = from_json(text)
    except ValueError:
        return text
    # Google answers an array of one.
    body = body[0] if isinstance(body, list) and body else body
    error = body.get("error", body) if isinstance(body, dict) else body
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else text
