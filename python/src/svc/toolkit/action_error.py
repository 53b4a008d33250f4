"""A failure that a handler reports."""

from typing import Any


class ActionError(Exception):
    """Agents see it as ACTION_FAILED with this code and message as ``cause``. Raise it or return it.

    Attributes:
        code: a name for programs, such as ``CITY_UNKNOWN``.
        message: for people and models.
        data: further details for the next try; any JSON.
        retryable: true if this call had no effect and the same call may succeed later: a retry runs the handler again,
            under the same idempotency key.
        retry_after: seconds to wait before a retry.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        data: Any = None,
        retryable: bool | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.retryable = retryable
        self.retry_after = retry_after

    def details(self) -> dict[str, object]:
        """The details on the wire."""
        retry_after_ms = None if self.retry_after is None else round(self.retry_after * 1000)
        details = {"data": self.data, "retryable": self.retryable, "retryAfterMs": retry_after_ms}
        return {name: value for name, value in details.items() if value is not None}
