"""The parts of a result for models with vision: images, and PDFs for models that read them.

A model API refuses every later request of a conversation with an image that does not match its media type. So the first
bytes decide, and other files stay words.
"""

import base64
import binascii
from collections.abc import Iterable

from svc.protocol.content import ContentBlock, file_name
from svc.tools.tool_answer import ModelMedia


def model_media(blocks: Iterable[ContentBlock]) -> list[ModelMedia]:
    """The images and PDFs among the blocks, in their order."""
    media = []
    for number, block in enumerate(blocks, start=1):
        data, name = _bytes_of(block)
        media_type = _type_by_bytes(data) if data else None
        if data and media_type:
            media.append(ModelMedia(media_type, data, name or f"{media_type.split('/')[0]}-{number}"))
    return media


def _bytes_of(block: ContentBlock) -> tuple[str | None, str | None]:
    if block.get("type") == "image":
        return block.get("data"), None
    if block.get("type") == "resource":
        resource = block["resource"]
        return resource.get("blob"), file_name(resource["uri"])
    return None, None


def _type_by_bytes(data: str) -> str | None:
    try:
        start = base64.b64decode(data[:16])
    except binascii.Error:
        return None
    if start.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if start.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if start.startswith(b"GIF8"):
        return "image/gif"
    if start.startswith(b"RIFF") and start.endswith(b"WEBP"):
        return "image/webp"
    return "application/pdf" if start.startswith(b"%PDF-") else None
