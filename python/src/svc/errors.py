"""The one error of svc-sdk, on every side. docs/errors.md has the cause and the cure of each code."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from svc.protocol.error_text import error_json, error_text


class ErrorFacts(NamedTuple):
    """The HTTP status and the retry rule of an error code."""

    #: HTTP status (RFC 9110), 0 for errors that never cross HTTP.
    status: int
    #: True if the same call may succeed later without any change.
    retryable: bool


ERRORS: Mapping[str, ErrorFacts] = {
    "INVALID_REQUEST": ErrorFacts(400, False),
    "INVALID_KEY": ErrorFacts(401, False),
    "KEY_EXPIRED": ErrorFacts(401, False),
    "KEY_REVOKED": ErrorFacts(401, False),
    "PAYMENT_REQUIRED": ErrorFacts(402, False),
    "WRONG_KEY_KIND": ErrorFacts(403, False),
    "NOT_SIGNED_IN": ErrorFacts(401, False),
    "SIGN_IN_FAILED": ErrorFacts(401, False),
    "FRESH_SIGN_IN_REQUIRED": ErrorFacts(403, False),
    "NOT_PERMITTED": ErrorFacts(403, False),
    "ACTION_NOT_ALLOWED": ErrorFacts(403, False),
    "CALL_DIRECTLY": ErrorFacts(403, False),
    "APPROVAL_REQUIRED": ErrorFacts(403, False),
    "APPROVAL_DENIED": ErrorFacts(403, False),
    "CONNECTION_REQUIRED": ErrorFacts(403, False),
    "NOT_FOUND": ErrorFacts(404, False),
    "LIST_NOT_FOUND": ErrorFacts(404, False),
    "ACTION_NOT_FOUND": ErrorFacts(404, False),
    "TOOLKIT_NOT_FOUND": ErrorFacts(404, False),
    "UNKNOWN_TOOL": ErrorFacts(0, False),
    "CONFLICT": ErrorFacts(409, False),
    "ACTION_CHANGED": ErrorFacts(409, False),
    "REQUEST_TOO_LARGE": ErrorFacts(413, False),
    "INVALID_PAYLOAD": ErrorFacts(422, False),
    "INVALID_ACTION": ErrorFacts(422, False),
    "IDEMPOTENCY_MISMATCH": ErrorFacts(422, False),
    "RATE_LIMITED": ErrorFacts(429, True),
    "INVOCATION_CANCELLED": ErrorFacts(499, False),
    "INTERNAL": ErrorFacts(500, True),
    "ACTION_FAILED": ErrorFacts(502, False),
    "OUTCOME_UNKNOWN": ErrorFacts(502, False),
    "TOOLKIT_OFFLINE": ErrorFacts(503, True),
    "QUEUE_FULL": ErrorFacts(503, True),
    "SERVICE_UNAVAILABLE": ErrorFacts(503, True),
    "SERVICE_STOPPING": ErrorFacts(503, True),
    "SERVICE_UNREACHABLE": ErrorFacts(0, True),
    "INVOCATION_TIMEOUT": ErrorFacts(504, False),
    "CONNECTION_CLOSED": ErrorFacts(0, True),
}

#: The code of an error that a newer service added.
_UNKNOWN = ErrorFacts(500, False)
_PROBLEM_TYPE = "urn:svc-sdk:error:"
_PROBLEM_MEMBERS = ("type", "title", "status", "detail", "code")


class SvcError(Exception):
    """An error of svc-sdk. Programs decide on ``code``; the message is for people and models.

    Attributes:
        code: a stable name such as ``ACTION_NOT_FOUND``.
        message: what happened and what to do next.
        details: further details for the next try, as JSON with the names of the wire: ``didYouMean``, ``issues``,
            ``received``, ``cause``, ``connect``, ``invocationId``, ``payment``, ``retryAfterMs``.
    """

    def __init__(self, code: str, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details: dict[str, Any] = dict(details or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message, self.details)

    @property
    def retryable(self) -> bool:
        """True if the same call may succeed later without any change."""
        return bool(self.details.get("retryable", ERRORS.get(self.code, _UNKNOWN).retryable))

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before a retry, if the service named them."""
        milliseconds = self.details.get("retryAfterMs")
        return milliseconds / 1000 if isinstance(milliseconds, int | float) else None

    @property
    def status(self) -> int:
        """The HTTP status of the code, 0 for an error that never crosses HTTP."""
        return ERRORS.get(self.code, _UNKNOWN).status

    def to_json(self) -> dict[str, Any]:
        """The JSON for a model: code, message, details, and whether a retry may help."""
        return {"code": self.code, "message": self.message, **self.details, "retryable": self.retryable}

    @classmethod
    def from_problem(cls, document: object) -> "SvcError | None":
        """The error of an RFC 9457 problem document.

        The texts have no key, no invisible characters, and a message has at most 4,096 characters.

        Returns:
            None for any other document, such as a proxy's own error page.
        """
        if not isinstance(document, dict) or not isinstance(document.get("code"), str):
            return None
        code = document["code"]
        if code not in ERRORS and document.get("type") != f"{_PROBLEM_TYPE}{code}":
            return None
        details = error_json({name: value for name, value in document.items() if name not in _PROBLEM_MEMBERS})
        cause = details.get("cause")
        if isinstance(cause, dict) and isinstance(cause.get("message"), str):
            details["cause"] = {**cause, "message": error_text(cause["message"])}
        return cls(error_text(code), error_text(str(document.get("detail", ""))), details)
