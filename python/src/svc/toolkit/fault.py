"""The reason why a connection ended or failed to open, and whether a retry can help."""

from dataclasses import dataclass

from svc.errors import ERRORS, SvcError
from svc.protocol.error_text import error_text
from svc.protocol.frames import FAILED, KEY_REFUSED, MESSAGE_TOO_BIG, ErrorFrame
from svc.protocol.json_text import from_json

_MAX_QUOTED_CHARS = 200


@dataclass(frozen=True, slots=True)
class Fault:
    """The end of a connection."""

    error: SvcError
    #: Every retry would fail in the same way.
    final: bool = False
    #: A frame of this toolkit was larger than the service accepts.
    frame_too_large: bool = False


class ConnectError(Exception):
    """A connection could not be opened."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.error.message)
        self.fault = fault


def network_fault(error: BaseException, url: str) -> Fault:
    reason = error_text(str(error) or type(error).__name__)
    fault = SvcError("SERVICE_UNREACHABLE", f"No connection to {url}: {reason}")
    fault.__cause__ = error
    return Fault(fault)


def refused_upgrade(status: int, body: str, url: str) -> Fault:
    """The service, or a proxy before it, answered the upgrade request with a plain HTTP response."""
    final = status in (401, 403)
    code = "INVALID_KEY" if final else "SERVICE_UNREACHABLE"
    advice = "; is base_url right?" if status == 404 or status < 400 else ""
    message = f"{url} answered {status}{advice} {error_text(body)[:_MAX_QUOTED_CHARS]}".rstrip()
    return Fault(_read_problem(body) or SvcError(code, message), final=final)


def closed_with(code: int, said: str) -> Fault:
    reason = error_text(said)
    if code == KEY_REFUSED:
        error_code = reason if reason in ERRORS else "INVALID_KEY"
        message = f"The service closed the connection: {reason or 'the key is refused'}; give this toolkit another key"
        return Fault(SvcError(error_code, message), final=True)
    error = SvcError("CONNECTION_CLOSED", f"The connection closed with {code}{reason and f': {reason}'}")
    return Fault(error, frame_too_large=code == MESSAGE_TOO_BIG)


def from_error_frame(frame: ErrorFrame) -> SvcError:
    """An error answer of the service, whose ``data`` has the code."""
    data: dict[str, object] = frame.data if isinstance(frame.data, dict) else {}
    details = {name: value for name, value in data.items() if name != "message"}
    # `from_problem` reads the code of a newer service from `type`.
    code_type = f"urn:svc-sdk:error:{data.get('code')}"
    problem = SvcError.from_problem({**details, "type": code_type, "detail": frame.message})
    return problem or SvcError("INTERNAL" if frame.code == FAILED else "INVALID_REQUEST", error_text(frame.message))


def _read_problem(body: str) -> SvcError | None:
    try:
        return SvcError.from_problem(from_json(body))
    except ValueError:
        return None  # The answer is a proxy's page.
