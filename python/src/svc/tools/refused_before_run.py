"""The errors of a call that certainly did not run."""

#: The service refuses a call with one of these before it runs. Any other error says nothing about what the call would
#: do.
REFUSED_BEFORE_RUN = frozenset(
    {
        "INVALID_REQUEST",
        "INVALID_PAYLOAD",
        "REQUEST_TOO_LARGE",
        "ACTION_NOT_FOUND",
        "ACTION_NOT_ALLOWED",
        "INVALID_KEY",
        "KEY_EXPIRED",
        "KEY_REVOKED",
        "WRONG_KEY_KIND",
        "PAYMENT_REQUIRED",
    }
)
