"""Converts Discord's messages and button presses for the agent.

Source: https://discord.com/developers/docs/resources/message
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from svc.client.base import MAX_IMAGE_BYTES, MAX_IMAGES, MessageContext
from svc.client.discord.buttons import read_button
from svc.client.download_image import download_image

if TYPE_CHECKING:
    import httpx2

#: An object of Discord's API: a message, a button press, a user.
DiscordObject = dict[str, Any]

#: Types of messages that people write: a plain message and a reply. Discord itself writes the others, such as "joined
#: the server".
_WRITTEN_TYPES = (0, 19)
_MENTION = re.compile(r"<@!?([0-9]+)>( ?)")


def is_for_bot(message: DiscordObject, bot_id: str) -> bool:
    """A direct message, a mention of the bot, or a reply to it, by a person."""
    if message["author"].get("bot") or "webhook_id" in message or message["type"] not in _WRITTEN_TYPES:
        return False
    answered = message.get("referenced_message") or {}
    return (
        "guild_id" not in message
        or any(user["id"] == bot_id for user in message.get("mentions", []))
        or answered.get("author", {}).get("id") == bot_id
    )


async def read_message(message: DiscordObject, bot_id: str, http: "httpx2.AsyncClient") -> MessageContext | None:
    """None for a message without a text or an attachment to answer."""
    images, left_out = await _download_images(message.get("attachments", []), http)
    lines = [_readable_text(message, bot_id), *(f"[attachment that cannot be read: {name}]" for name in left_out)]
    words = "\n".join(filter(None, lines))
    if not words and not images:
        return None
    is_private = "guild_id" not in message
    return MessageContext(
        chat_id=message["channel_id"],
        user_id=message["author"]["id"],
        message=words,
        message_id=message["id"],
        user_name=_name_of(message["author"], message.get("member")),
        is_private=is_private,
        images=images,
        # The message that the reply points to.
        address={} if is_private else {"replyTo": message["id"]},
    )


def read_press(press: DiscordObject) -> MessageContext | None:
    """None for a button of another program."""
    answer = read_button(press)
    member = press.get("member")
    user = member["user"] if member else press.get("user")
    if not answer or not user:
        return None
    is_private = "guild_id" not in press
    return MessageContext(
        chat_id=press["channel"]["id"],
        user_id=user["id"],
        message="",
        message_id=press["id"],
        user_name=_name_of(user, member),
        is_private=is_private,
        answer=answer,
        address={} if is_private else {"replyTo": press["message"]["id"]},
    )


async def _download_images(
    attachments: Sequence[DiscordObject], http: "httpx2.AsyncClient"
) -> tuple[list[str], list[str]]:
    """Data URLs, and the names of the other attachments: another type, too large, too many, or gone.

    Discord's file servers need no token, and their signed addresses are not stored.
    """
    images: list[str] = []
    left_out: list[str] = []
    for attachment in attachments:
        is_wanted = len(images) < MAX_IMAGES and attachment["size"] <= MAX_IMAGE_BYTES
        image = await download_image(http, attachment["url"]) if is_wanted else None
        if image:
            images.append(image)
        else:
            left_out.append(attachment["filename"])
    return images, left_out


def _name_of(user: DiscordObject, member: DiscordObject | None) -> str:
    names = ((member or {}).get("nick"), user.get("global_name"), user["username"])
    return next(str(name) for name in names if name is not None)


def _readable_text(message: DiscordObject, bot_id: str) -> str:
    """Removes the mention of the bot, and writes other mentions as names."""
    names = {user["id"]: f"@{_name_of(user, None)}" for user in message.get("mentions", [])}

    def shown(mention: re.Match[str]) -> str:
        user_id, space = mention.groups()
        return "" if user_id == bot_id else names.get(user_id, mention[0].strip()) + space

    return _MENTION.sub(shown, message["content"]).strip()
