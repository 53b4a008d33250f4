"""Validates a client's message: a message that cannot be stored must not end the agent."""

from svc.agent.store.context_row import write_context
from svc.client.message_context import Answer, InvalidMessageError, MessageContext


def check_message(received: object) -> None:
    """Accepts None, and a ``MessageContext`` whose members match their types.

    Raises:
        InvalidMessageError: for any other value.
    """
    if received is None:
        return
    if not isinstance(received, MessageContext):
        raise InvalidMessageError(f"it must be a MessageContext, not {type(received).__name__}")
    # A client may have changed it since it was made.
    received.__post_init__()
    if not isinstance(received.images, list) or not all(isinstance(image, str) for image in received.images):
        raise InvalidMessageError("images must be a list of data URLs")
    if not isinstance(received.answer, Answer | None):
        raise InvalidMessageError("answer must be an Answer")
    try:
        write_context(received)
    except (TypeError, ValueError, RecursionError):
        raise InvalidMessageError("it must be JSON: it is stored") from None
