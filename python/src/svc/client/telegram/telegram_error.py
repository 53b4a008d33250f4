"""A request that Telegram refused or did not answer.

Source: https://core.telegram.org/bots/api#making-requests
"""

import re

_NOT_EDITABLE = re.compile(r"message to edit not found|message can't be edited|MESSAGE_ID_INVALID")


class TelegramError(Exception):
    """Telegram refused a request, or did not answer it. The message holds neither the token nor an address.

    Attributes:
        status: Telegram's error code, as in HTTP; None if there was no answer.
        is_wrong_token: True if the token is revoked or never existed.
        moved_to: The id of the supergroup that a group became.
        retry_after: The seconds that Telegram asks to wait.
    """

    def __init__(
        self,
        message: str,
        status: int | None = None,
        *,
        is_wrong_token: bool = False,
        moved_to: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.is_wrong_token = is_wrong_token
        self.moved_to = moved_to
        self.retry_after = retry_after

    @property
    def is_retryable(self) -> bool:
        """True for another poller, too many requests, and failures of Telegram or of the network."""
        return self.status is None or self.status in (409, 429) or self.status >= 500

    @property
    def is_of_content(self) -> bool:
        """True if Telegram refuses the content; other content may be accepted."""
        return self.status in (400, 413)

    @property
    def is_not_modified(self) -> bool:
        return self.status == 400 and "message is not modified" in str(self)

    @property
    def is_not_editable(self) -> bool:
        """True if the message to edit was deleted, or is too old."""
        return self.status == 400 and _NOT_EDITABLE.search(str(self)) is not None


def wrong_token(client_id: str, status: int) -> TelegramError:
    return TelegramError(
        f"Telegram refused the bot token of {client_id} ({status}). Send /token to @BotFather (https://t.me/BotFather)"
        ", and set what it answers as bot_token",
        status,
        is_wrong_token=True,
    )


def unreachable_telegram(client_id: str, reason: str) -> TelegramError:
    return TelegramError(f"Telegram did not answer {client_id}: {reason}")
