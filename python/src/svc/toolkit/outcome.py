"""Runs a handler to its outcome, as members of the answer's JSON text: ``"result":…`` with its attachments and charge,
or ``"error":…``. Raises only errors that end the program.
"""

from svc.errors import SvcError
from svc.protocol.frames import FAILED, OUTCOME_UNKNOWN
from svc.protocol.json_text import to_json
from svc.toolkit.action import Action
from svc.toolkit.action_error import ActionError
from svc.toolkit.context import ActionContext, HandlerOutcome
from svc.toolkit.options import Middleware
from svc.toolkit.plain_json import to_json_text

#: The default of the service's limit `frameBytes`, without the rest of the frame: id, method, member names.
_MAX_RESULT_BYTES = 8 * 1024 * 1024 - 1024
_MAX_UTF8_BYTES_PER_CHAR = 4
#: The number of characters kept of the message of an oversized error.
_MAX_KEPT_CHARS = 2_000


async def run_action(action: Action, context: ActionContext, payload: object, middleware: Middleware | None) -> str:
    """The outcome of one run."""
    try:
        if middleware:
            returned = await middleware(context, lambda: action.run(context, payload))
        else:
            returned = await action.run(context, payload)
        if isinstance(returned, BaseException):
            return _error_outcome(returned)
        return _result_outcome(context.outcome(returned))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return _error_outcome(error)
    finally:
        context.end()


def plain_error_outcome(reason: str, message: str, code: int = FAILED) -> str:
    """An error of the SDK itself, not of a handler.

    Args:
        reason: for programs, like the code of an ActionError
        message: for people and models
        code: of JSON-RPC
    """
    return f'"error":{to_json({"code": code, "message": message, "data": {"code": reason, "message": message}})}'


def unknown_outcome(message: str) -> str:
    """The error of a run with an unknown outcome."""
    return plain_error_outcome("OUTCOME_UNKNOWN", f"{message}. Check before you call it again", OUTCOME_UNKNOWN)


def too_large_outcome(size: int) -> str:
    """The error in place of a result that is too large for a frame."""
    return plain_error_outcome(
        "RESULT_TOO_LARGE",
        f"The result has {size} bytes as JSON, more than one frame may have: return a part, a page, a smaller image, "
        "or ctx.link(…) to where all of it is",
    )


def _result_outcome(outcome: HandlerOutcome) -> str:
    text = f'"result":{to_json_text(outcome.result)}'
    if outcome.content:
        text += f',"content":{to_json(outcome.content)}'
    if outcome.charged is not None:
        text += f',"payment":{to_json({"amount": outcome.charged})}'
    return too_large_outcome(len(text.encode())) if _is_too_large(text) else text


def _error_outcome(error: BaseException) -> str:
    message = _message_of(error)
    data: dict[str, object] = {"code": _code_of(error), "message": message}
    # The error of a nested call says nothing about the handler's own effects before that call.
    if isinstance(error, ActionError):
        data |= error.details()
    try:
        text = to_json_text({"code": FAILED, "message": message, "data": data})
    except ActionError:
        text = ""
    # The oversized part is the handler's `data` or a very long message.
    if text == "" or _is_too_large(text):
        return plain_error_outcome("INVALID_RESULT", message[:_MAX_KEPT_CHARS])
    return f'"error":{text}'


def _code_of(error: BaseException) -> str:
    if isinstance(error, ActionError):
        return error.code
    # A nested call's request for a connection is not about the account of this call.
    if isinstance(error, SvcError) and error.code != "CONNECTION_REQUIRED":
        return error.code
    return "HANDLER_THREW"


def _message_of(error: BaseException) -> str:
    """No stack leaves the process."""
    try:
        return str(error) or type(error).__name__
    except Exception:
        return f"The handler raised {type(error).__name__}"


def _is_too_large(text: str) -> bool:
    if len(text) * _MAX_UTF8_BYTES_PER_CHAR <= _MAX_RESULT_BYTES:
        return False
    return len(text.encode()) > _MAX_RESULT_BYTES
