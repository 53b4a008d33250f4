"""The toolkit side of the wire: JSON-RPC 2.0 frames on one WebSocket. docs/protocol.md, section 6."""

from typing import NamedTuple, TypeGuard

from svc.protocol.json_text import from_json, to_json

PROTOCOL_VERSION = 1

PARSE_ERROR = -32700
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
#: The handler failed, or the service refused: ``data["code"]`` has the details.
FAILED = -32000
#: The instance ran the invocation before and does not know its outcome.
OUTCOME_UNKNOWN = -32001

#: Close codes of the socket.
NORMAL = 1000
#: RFC 6455, section 7.4.1: a frame is larger than the other side accepts.
MESSAGE_TOO_BIG = 1009
PROTOCOL_VIOLATED = 4400
#: The reason is the error code, such as ``KEY_REVOKED``. The client does not reconnect.
KEY_REFUSED = 4401


class Request(NamedTuple):
    """A request, which requires an answer."""

    id: str | int | float
    method: str
    params: object


class Notification(NamedTuple):
    """A notification, which has no answer."""

    method: str
    params: object


class ResultFrame(NamedTuple):
    """The answer to a request of this side."""

    id: object
    result: object


class ErrorFrame(NamedTuple):
    """The answer to a request of this side, which the service refused."""

    id: object
    code: float
    message: str
    data: object


FrameIn = Request | Notification | ResultFrame | ErrorFrame


def read_frame(text: str) -> FrameIn | None:
    """The frame of a text; None if it is not a JSON-RPC 2.0 frame (no batches)."""
    try:
        frame = from_json(text)
    except ValueError:
        return None
    if not isinstance(frame, dict) or frame.get("jsonrpc") != "2.0":
        return None
    method, frame_id = frame.get("method"), frame.get("id")
    if isinstance(method, str):
        if "id" not in frame:
            return Notification(method, frame.get("params"))
        return Request(frame_id, method, frame.get("params")) if _is_id(frame_id) else None
    error = frame.get("error")
    if isinstance(error, dict) and _is_number(error.get("code")) and isinstance(error.get("message"), str):
        return ErrorFrame(frame_id, error["code"], error["message"], error.get("data"))
    return ResultFrame(frame_id, frame["result"]) if "result" in frame else None


def request_frame(frame_id: int, method: str, params_json: str) -> str:
    return f'{{"jsonrpc":"2.0","id":{frame_id},"method":"{method}","params":{params_json}}}'


def notification_frame(method: str, params: object) -> str:
    return to_json({"jsonrpc": "2.0", "method": method, "params": params})


def answer_frame(frame_id: str | int | float, outcome: str) -> str:
    """The service forwards a result's text unchanged if the members are in this order.

    Args:
        outcome: members of the frame's JSON, ``"result":…`` or ``"error":…``
    """
    return f'{{"jsonrpc":"2.0","id":{to_json(frame_id)},{outcome}}}'


def _is_id(value: object) -> TypeGuard[str | int | float]:
    return isinstance(value, str) or _is_number(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
