"""The token of a Discord bot. Its first part is the bot's user id in base64."""

import base64
import re

_TOKEN = re.compile(r"([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
_USER_ID = re.compile(rb"[0-9]{15,20}")


def discord_bot_id(bot_token: str) -> str:
    """The bot's user id.

    Raises:
        ValueError: the message does not quote the text, which may be another secret
    """
    match = _TOKEN.fullmatch(bot_token) if isinstance(bot_token, str) else None
    user_id = _decode(match[1]) if match else b""
    if _USER_ID.fullmatch(user_id):
        return user_id.decode()
    raise ValueError(
        "bot_token is not the token of a Discord bot, which has three parts with dots between them: copy it from "
        "https://discord.com/developers/applications, page Bot, Reset Token"
    )


def _decode(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return b""
