"""The files of a message: pictures for the model, and words in place of other files."""

from dataclasses import replace

from svc.client.base import MAX_IMAGES, MessageContext, image_data_url
from svc.client.telegram.read_message import ReadMessage
from svc.client.telegram.telegram_api import TelegramApi


async def with_attachments(read: ReadMessage, api: TelegramApi) -> MessageContext:
    """The message with its pictures.

    Raises:
        TelegramError: for a wrong token
    """
    images: list[str] = []
    lines = [read.ctx.message] if read.ctx.message else []
    for attachment in read.attachments:
        data = await api.download(attachment.file_id) if attachment.file_id and len(images) < MAX_IMAGES else None
        image = image_data_url(data) if data else None
        if image:
            images.append(image)
        else:
            lines.append(f"[attachment that cannot be read: {attachment.name}]")
    return replace(read.ctx, message="\n".join(lines), images=images)
