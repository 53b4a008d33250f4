"""Messages that the agent itself answers."""

NEW_COMMAND = "/new"
STOP_COMMAND = "/stop"


def is_command(message: str, command: str) -> bool:
    return message.strip().lower() == command


def read_yes_or_no(message: str) -> bool | None:
    """The answer in a text to a question; None for any other text."""
    word = message.strip().lower()
    word = word[:-1] if word.endswith((".", "!")) else word
    if word in ("yes", "y"):
        return True
    return False if word in ("no", "n") else None
