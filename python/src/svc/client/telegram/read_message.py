"""Messages for the bot.

Shape: ``chat_id`` is ``<chat id>``, or ``<chat id>/<topic id>`` for a topic; ``message_id`` is
    ``<chat id>/<message id>``, because Telegram counts messages of each group on their own.
Source: https://core.telegram.org/bots/api#message and #messageentity
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from svc.client.base import MAX_IMAGE_BYTES, MessageContext

#: A message of Telegram, as JSON.
TelegramMessage = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bot:
    """The bot's own account."""

    id: int
    username: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message."""

    name: str
    #: Present for a picture that is not too large.
    file_id: str | None = None


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A message whose files are not downloaded yet."""

    ctx: MessageContext
    attachments: Sequence[Attachment]


def read_telegram_message(album: Sequence[TelegramMessage], bot: Bot) -> ReadMessage | None:
    """Reads a message, or all messages of an album.

    Returns:
        None for a message that needs no answer: from a bot, not for this bot, or without text and file.
    """
    if not album or not _is_of_person(album[0]):
        return None
    first = album[0]
    is_private = first["chat"]["type"] == "private"
    text = next(filter(None, (_words(message) for message in album)), "")
    attachments = [attachment for message in album if (attachment := _attachment_of(message))]
    if text == "" and not attachments:
        return None
    if not is_private and not any(_is_mentioned(message, bot) or _is_reply_to(message, bot) for message in album):
        return None
    ctx = MessageContext(
        chat_id=chat_id_of(first),
        user_id=str(first["from"]["id"]),
        message=_without_name(text, bot),
        message_id=f"{first['chat']['id']}/{first['message_id']}",
        user_name=name_of(first["from"]),
        is_private=is_private,
        address={"messageId": first["message_id"]},
    )
    return ReadMessage(ctx, attachments)


def chat_id_of(message: TelegramMessage) -> str:
    chat = message["chat"]["id"]
    # Replies in groups without topics have a thread id too.
    return f"{chat}/{message['message_thread_id']}" if message.get("is_topic_message") else str(chat)


def name_of(user: dict[str, Any]) -> str:
    return " ".join(filter(None, (user.get("first_name"), user.get("last_name"))))


def _words(message: TelegramMessage) -> str:
    return str(message.get("text") or message.get("caption") or "")


def _is_of_person(message: TelegramMessage) -> bool:
    """A post of a channel that Telegram copies into its group has a sender that is a chat."""
    return message.get("from", {}).get("is_bot") is False and "sender_chat" not in message


def _is_mentioned(message: TelegramMessage, bot: Bot) -> bool:
    # Offsets of entities are in code units of UTF-16.
    units = _words(message).encode("utf-16-le", "surrogatepass")
    name = f"@{bot.username}".lower()
    for entity in message.get("entities") or message.get("caption_entities") or []:
        kind, start = entity["type"], 2 * entity["offset"]
        marked = units[start : start + 2 * entity["length"]].decode("utf-16-le", "replace").lower()
        if kind == "text_mention" and entity["user"]["id"] == bot.id:
            return True
        if (kind == "mention" and marked == name) or (kind == "bot_command" and marked.endswith(name)):
            return True
    return False


def _is_reply_to(message: TelegramMessage, bot: Bot) -> bool:
    """True for a reply to the bot. ``reply_to_message`` of a topic's message may be the topic's own first message."""
    answered = message.get("reply_to_message", {})
    is_topic_start = message.get("is_topic_message") and answered.get("message_id") == message.get("message_thread_id")
    return answered.get("from", {}).get("id") == bot.id and not is_topic_start


def _without_name(text: str, bot: Bot) -> str:
    """``/new@name`` becomes ``/new``, and a name at the start is removed: neither belongs to the person's request."""
    name = re.escape(bot.username)
    words = re.sub(rf"\A(?:(?P<command>(?a:/\w+))@(?ai:{name}\b)|@(?ai:{name}\b)[,:]?\s*)", r"\g<command>", text)
    return words if words.strip() else text


def _attachment_of(message: TelegramMessage) -> Attachment | None:
    if photo := message.get("photo"):
        # Telegram sends a photo in several sizes.
        return Attachment("photo", _largest_fitting(photo))
    if document := message.get("document"):
        is_picture = document.get("mime_type", "").startswith("image/")
        return Attachment(document.get("file_name", "file"), _largest_fitting([document]) if is_picture else None)
    if "voice" in message:
        return Attachment("voice message")
    if audio := message.get("audio"):
        return Attachment(audio.get("file_name", "audio"))
    return Attachment("video") if "video" in message or "video_note" in message else None


def _largest_fitting(files: Sequence[dict[str, Any]]) -> str | None:
    fitting = [file for file in files if file.get("file_size", 0) <= MAX_IMAGE_BYTES]
    return max(fitting, key=lambda file: file.get("file_size", 0))["file_id"] if fitting else None
