"""The token of a Telegram bot: ``<bot id>:<secret>``."""

import re

_TOKEN = re.compile(r"([0-9]{1,19}):[A-Za-z0-9_-]{20,}")


def telegram_bot_id(bot_token: str) -> str:
    """The bot's id.

    Raises:
        ValueError: the message does not quote the text, which may be another secret
    """
    match = _TOKEN.fullmatch(bot_token) if isinstance(bot_token, str) else None
    if match:
        return match[1]
    raise ValueError(
        "bot_token is not a token of Telegram. A token looks like 123456789:AAF… and comes from @BotFather "
        "(https://t.me/BotFather)"
    )
