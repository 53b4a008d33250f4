"""Pictures: downloads from people's posts, uploads of tools' results."""

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from svc.client.base import MAX_IMAGES, read_image_data_url
from svc.client.download_image import download_image
from svc.client.x.x_api import XApi, XRefusedError, normal_address

if TYPE_CHECKING:
    import httpx2

#: X accepts animated GIFs only by another, longer upload.
_UPLOAD_TYPES = ("image/png", "image/jpeg", "image/webp")
_MAX_UPLOADS = 4


async def download_photos(http: "httpx2.AsyncClient", urls: Sequence[str], base_url: str) -> list[str]:
    """The photos as data URLs. A photo that cannot be read is skipped: the text must not wait for it.

    Args:
        base_url: the API's own server is allowed in addition to X's picture servers
    """
    wanted = [url for url in urls if _is_of_x(url, base_url)][:MAX_IMAGES]
    images = [await download_image(http, url) for url in wanted]
    return [image for image in images if image]


async def upload_images(api: XApi, data_urls: Sequence[str], *, tries: int) -> list[str]:
    """Ids for ``media_ids`` of a post. An image that X refuses is skipped, so that the text is still posted.

    Source: docs.x.com, "Upload media": ``POST /2/media/upload``.
    """
    images = [image for url in data_urls if (image := read_image_data_url(url)) and image.media_type in _UPLOAD_TYPES]
    ids: list[str] = []
    for image in images[:_MAX_UPLOADS]:
        fields = {"media_category": "tweet_image", "media_type": image.media_type}
        try:
            answer = await api.post_image("/2/media/upload", fields, image, tries=tries)
        except XRefusedError:
            continue
        media_id = answer.body.get("data", {}).get("id")
        if media_id:
            ids.append(media_id)
    return ids


def _is_of_x(url: str, base_url: str) -> bool:
    try:
        parts = urlsplit(url)
        if parts.scheme == "https" and (parts.hostname or "").endswith(".twimg.com"):
            return True
        return _origin_of(normal_address(url)) == _origin_of(normal_address(base_url))
    except ValueError:
        return False


def _origin_of(address: str) -> tuple[str, str]:
    return urlsplit(address)[:2]
