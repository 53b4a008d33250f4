"""The failure of a request to a model, with the facts for a retry."""


class ModelRequestError(Exception):
    """A model did not answer. No message holds a key.

    Attributes:
        status: HTTP status of the model's server; None if there was no answer.
        retry_after: The wait that the server asked for, in seconds.
        is_too_long: True if the conversation is too long for the model.
    """

    def __init__(
        self, message: str, *, status: int | None = None, retry_after: float | None = None, is_too_long: bool = False
    ) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
        self.is_too_long = is_too_long

    @property
    def is_retryable(self) -> bool:
        """No answer, 408, 409, 429 and 5xx: another try may succeed."""
        return self.status is None or self.status in (408, 409, 429) or self.status >= 500
