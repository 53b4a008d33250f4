"""Images as data URLs: sent by people, and returned by tools."""

import base64
import re
from typing import NamedTuple

#: Anthropic's limit for one image, the smallest of the large providers'.
MAX_IMAGE_BYTES = 5 * 1024 * 1024
#: The number of images that are read from one message; further images are skipped.
MAX_IMAGES = 4

_DATA_URL = re.compile(r"data:(image/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})")


class Image(NamedTuple):
    """An image that was read from its data URL."""

    media_type: str
    data: bytes


def image_data_url(data: bytes) -> str | None:
    """The data URL of an image; None for bytes that are not PNG, JPEG, GIF or WebP, and for an image that is too
    large.
    """
    media_type = _image_type(data) if len(data) <= MAX_IMAGE_BYTES else None
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}" if media_type else None


def read_image_data_url(url: str) -> Image | None:
    """The type and the bytes of an image's data URL; None for any other text."""
    match = _DATA_URL.fullmatch(url)
    if not match:
        return None
    media_type, data = match.groups()
    # Some writers omit the padding, which Python requires.
    data = data.rstrip("=")
    try:
        return Image(media_type, base64.b64decode(data + "=" * (-len(data) % 4)))
    except ValueError:
        return None


def _image_type(data: bytes) -> str | None:
    """The first bytes decide: the platforms pass on the type that the sender claimed."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith(b"GIF8"):
        return "image/gif"
    return "image/webp" if data.startswith(b"RIFF") and data[8:12] == b"WEBP" else None
