"""Messages of the bot in a chat.

Errors: RefusedReply for a permanent refusal of Telegram; TelegramError after five tries for any other failure.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from svc.client.base import MessageContext, Question, RefusedReply, read_image_data_url, split
from svc.client.telegram.questions import buttons_for
from svc.client.telegram.telegram_api import File, TelegramApi
from svc.client.telegram.telegram_error import TelegramError

#: UTF-16 code units.
_MAX_TEXT = 4096
_TRIES = 5
_REFUSALS = (400, 403, 413)
#: A preview makes Telegram fetch the address: an address in a reply could leak data that the model has read.
_WITHOUT_PREVIEW = {"link_preview_options": {"is_disabled": True}}


class Outbox:
    """The messages that the bot sends."""

    def __init__(self, api: TelegramApi) -> None:
        self._api = api
        #: Message -> text of its reply, and how many parts of it were sent before an error: the next try continues
        #: there, so that no part is shown twice.
        self._begun: dict[tuple[str, str | None], tuple[str, int]] = {}

    async def send_reply(self, ctx: MessageContext, text: str, images: Sequence[str]) -> None:
        """Sends the text in pieces, then the images. The first piece replaces the partial reply."""
        parts: list[Callable[[], Awaitable[None]]] = [
            *(partial(self._send_piece, ctx, piece, index == 0) for index, piece in enumerate(split(text, _MAX_TEXT))),
            *(partial(self._send_image, ctx, image) for image in images),
        ]
        message = (ctx.chat_id, ctx.message_id)
        begun_text, done = self._begun.pop(message, (text, 0))
        if begun_text != text:
            done = 0
        try:
            while done < len(parts):
                await parts[done]()
                done += 1
        except RefusedReply:
            raise
        except BaseException:
            self._begun[message] = (text, done)
            raise

    async def show_beginning(self, ctx: MessageContext, text: str) -> dict[str, int]:
        """Sends the beginning of a reply, or edits the earlier partial reply. Another text follows soon, so one try is
        enough.
        """
        piece = next(iter(split(text, _MAX_TEXT)), "")
        shown = _message_id_in(ctx.partial)
        if shown is not None and await self._edit(ctx, shown, piece, tries=1):
            return {"messageId": shown}
        return {"messageId": await self._send_text(ctx, piece, is_first=True, tries=1)}

    async def ask(self, ctx: MessageContext, question: Question) -> dict[str, int]:
        """The last piece of a long question has the buttons."""
        *pieces, last = split(question.text, _MAX_TEXT) or [""]
        for index, piece in enumerate(pieces):
            await self._send_text(ctx, piece, is_first=index == 0)
        buttons = {"reply_markup": buttons_for(question.id)}
        return {"messageId": await self._send_text(ctx, last, is_first=not pieces, more=buttons)}

    async def end_question(self, ctx: MessageContext, shown: object, text: str) -> None:
        """Removes the buttons. A deleted question needs no change."""
        message_id = _message_id_in(shown)
        if message_id is not None:
            *_, last = split(text, _MAX_TEXT) or [""]
            await self._edit(ctx, message_id, last)

    async def show_typing(self, ctx: MessageContext) -> None:
        await self._send(ctx, "sendChatAction", {"action": "typing"}, tries=1)

    async def _send_piece(self, ctx: MessageContext, piece: str, is_first: bool) -> None:
        shown = _message_id_in(ctx.partial) if is_first else None
        if shown is None or not await self._edit(ctx, shown, piece):
            await self._send_text(ctx, piece, is_first=is_first)

    async def _send_text(
        self,
        ctx: MessageContext,
        text: str,
        *,
        is_first: bool,
        more: Mapping[str, object] | None = None,
        tries: int = _TRIES,
    ) -> int:
        """Sends a message. In a group, the first of several messages is a reply to the person's message."""
        payload = {"text": text, **_WITHOUT_PREVIEW, **(_reference_to(ctx) if is_first else {}), **(more or {})}
        try:
            sent = await self._send(ctx, "sendMessage", payload, tries=tries)
        except TelegramError as failure:
            raise _refusal_of(failure) from None
        message_id: int = sent["message_id"]
        return message_id

    async def _send_image(self, ctx: MessageContext, data_url: str) -> None:
        """Sends a picture as a photo, else as a file.

        A picture that Telegram refuses in both forms is skipped: the text was sent before.
        """
        image = read_image_data_url(data_url)
        if image is None:
            return
        for method, parameter in (("sendPhoto", "photo"), ("sendDocument", "document")):
            try:
                await self._send(ctx, method, {}, file=File(parameter, image))
                return
            except TelegramError as failure:
                if not failure.is_of_content:
                    raise _refusal_of(failure) from None

    async def _edit(self, ctx: MessageContext, message_id: int, text: str, *, tries: int = _TRIES) -> bool:
        """Replaces a text, and removes the buttons. False if the message is gone."""
        payload = {"message_id": message_id, "text": text, **_WITHOUT_PREVIEW}
        try:
            await self._send(ctx, "editMessageText", payload, tries=tries)
        except TelegramError as failure:
            if failure.is_not_editable:
                return False
            if not failure.is_not_modified:
                raise _refusal_of(failure) from None
        return True

    async def _send(
        self,
        ctx: MessageContext,
        method: str,
        payload: Mapping[str, object],
        *,
        file: File | None = None,
        tries: int = _TRIES,
    ) -> Any:
        """A group that became a supergroup has another id, under which the request is sent again."""
        chat, _, topic = ctx.chat_id.partition("/")
        place = {"chat_id": int(chat)}
        # An edit needs only the chat and the message id.
        if topic and method != "editMessageText":
            place["message_thread_id"] = int(topic)
        try:
            return await self._api.call(method, {**place, **payload}, file=file, tries=tries)
        except TelegramError as failure:
            if failure.moved_to is None:
                raise
            moved_to = failure.moved_to
        return await self._api.call(method, {"chat_id": moved_to, **payload}, file=file, tries=tries)


def _refusal_of(failure: TelegramError) -> Exception:
    return RefusedReply(str(failure)) if failure.status in _REFUSALS else failure


def _message_id_in(value: object) -> int | None:
    """The message id in the value that ``show_partial`` and ``ask_approval`` returned, or in a message's address."""
    message_id = value.get("messageId") if isinstance(value, dict) else None
    return message_id if isinstance(message_id, int) else None


def _reference_to(ctx: MessageContext) -> dict[str, object]:
    answered = _message_id_in(ctx.address)
    if ctx.is_private or answered is None:
        return {}
    return {"reply_parameters": {"message_id": answered, "allow_sending_without_reply": True}}
