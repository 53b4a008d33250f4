"""Messages of the bot in one channel.

Units: 2,000 UTF-16 units and 10 files a message.
Errors: RefusedReply if Discord refuses a message permanently.
Source: https://discord.com/developers/docs/resources/message#create-message
"""

import base64
import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from svc.client.base import MessageContext, Question, RefusedReply, read_image_data_url, split
from svc.client.discord.buttons import buttons_for
from svc.client.discord.discord_api import DiscordApi, DiscordRefusedError, file_name
from svc.client.images import Image

_MAX_TEXT = 2_000
#: Fewer than Discord's 10, because a request is limited to 25 MB.
_MAX_FILES = 4
_MAX_NONCE = 25
_SEND_TRIES = 5
_GONE = 404


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    images: Sequence[Image] = ()


class Channel:
    """The channel of a message that the bot answers."""

    def __init__(self, api: DiscordApi, ctx: MessageContext) -> None:
        self._api = api
        self._ctx = ctx
        self._path = f"/channels/{quote(ctx.chat_id, safe='')}"
        # The TypeScript SDK makes the same nonces.
        self._message_id = ctx.message_id or str(uuid.uuid4())

    async def reply(self, text: str, images: Sequence[str]) -> None:
        for index, piece in enumerate(_pieces_of(text, images)):
            shown = _message_id_in(self._ctx.partial) if index == 0 else None
            if shown is None or not await self._edit(shown, piece):
                await self._create(piece, index)

    async def show_partial(self, text: str) -> dict[str, str]:
        piece = _Piece(next(iter(split(text, _MAX_TEXT)), ""))
        shown = _message_id_in(self._ctx.partial)
        if shown is not None and await self._edit(shown, piece, tries=1):
            return {"messageId": shown}
        return {"messageId": await self._create(piece, 0, tries=1)}

    async def ask(self, question: Question) -> dict[str, str]:
        """The last piece of a long question has the buttons: the person approves only after the whole question."""
        pieces = split(question.text, _MAX_TEXT)
        shown = ""
        for index, content in enumerate(pieces):
            message: dict[str, object] = {"content": content, **self._first_reference(index)}
            if index == len(pieces) - 1:
                message["components"] = buttons_for(question)
            message |= self._sent_once(f"question {question.id}" + (f" piece {index}" if index > 0 else ""))
            shown = (await self._send("POST", "", message))["id"]
        return {"messageId": shown}

    async def end_question(self, shown: object, text: str) -> None:
        message_id = _message_id_in(shown)
        if message_id is not None:
            *_, last = split(text, _MAX_TEXT) or [""]
            await self._edit(message_id, _Piece(last))

    async def show_typing(self) -> None:
        await self._api.send("POST", f"{self._path}/typing", tries=1)

    async def _create(self, piece: _Piece, index: int, *, tries: int = _SEND_TRIES) -> str:
        """Sends a piece.

        Discord answers a known nonce with the existing message, which an interrupted ``send_message`` or
        ``show_partial`` sent before.
        """
        message = {"content": piece.text, **self._sent_once(f"piece {index}"), **self._first_reference(index)}
        sent = await self._send("POST", "", message, images=piece.images, tries=tries)
        message_id: str = sent["id"]
        if not _shows(sent, piece):
            await self._edit(message_id, piece, tries=tries)
        return message_id

    async def _edit(self, message_id: str, piece: _Piece, *, tries: int = _SEND_TRIES) -> bool:
        """False if the message was deleted."""
        # The list replaces the files of an earlier edit.
        files = [{"id": index, "filename": file_name(index, image)} for index, image in enumerate(piece.images)]
        message: dict[str, object] = {"content": piece.text, "components": [], "attachments": files}
        try:
            await self._send("PATCH", f"/{message_id}", message, images=piece.images, tries=tries)
        except RefusedReply as refused:
            if isinstance(refused.__cause__, DiscordRefusedError) and refused.__cause__.status == _GONE:
                return False
            raise
        return True

    async def _send(
        self,
        method: str,
        path: str,
        message: dict[str, object],
        *,
        images: Sequence[Image] = (),
        tries: int = _SEND_TRIES,
    ) -> Any:
        # Mentions in the model's text send no notifications.
        body = {**message, "allowed_mentions": {"parse": []}}
        try:
            return await self._api.send(method, f"{self._path}/messages{path}", body, images=images, tries=tries)
        except DiscordRefusedError as refusal:
            raise RefusedReply(str(refusal)) from refusal

    def _sent_once(self, part: str) -> dict[str, object]:
        digest = hashlib.sha256(f"{self._message_id} {part}".encode()).digest()
        return {"nonce": base64.urlsafe_b64encode(digest).decode()[:_MAX_NONCE], "enforce_nonce": True}

    def _first_reference(self, index: int) -> dict[str, object]:
        """The first of several messages is a reply to the person's message."""
        reply_to = self._ctx.address.get("replyTo") if isinstance(self._ctx.address, dict) else None
        if index > 0 or reply_to is None:
            return {}
        return {"message_reference": {"message_id": reply_to, "fail_if_not_exists": False}}


def _pieces_of(text: str, data_urls: Sequence[str]) -> list[_Piece]:
    """Images are attached to the last piece of text; further images are sent in messages of their own."""
    images = [image for url in data_urls if (image := read_image_data_url(url))]
    groups = [images[start : start + _MAX_FILES] for start in range(0, len(images), _MAX_FILES)]
    *texts, last = split(text, _MAX_TEXT) or [""]
    pieces = [_Piece(piece) for piece in texts]
    if last or groups:
        pieces.append(_Piece(last, groups[0] if groups else ()))
    return [*pieces, *(_Piece("", group) for group in groups[1:])]


def _message_id_in(value: object) -> str | None:
    """The message id in the value that ``show_partial`` and ``ask_approval`` returned."""
    message_id = value.get("messageId") if isinstance(value, dict) else None
    return message_id if isinstance(message_id, str) else None


def _shows(sent: dict[str, Any], piece: _Piece) -> bool:
    """Discord changes white space at the ends of a text."""
    is_same_text = " ".join(sent["content"].split()) == " ".join(piece.text.split())
    return is_same_text and len(sent.get("attachments", [])) == len(piece.images)
