"""Images, files and links that a handler makes: ``ctx.image(png, "image/png")``.

Errors: ActionError INVALID_RESULT, whose message says what to write instead.
"""

import base64
import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from svc.protocol.content import ContentBlock, describe_block
from svc.protocol.json_text import quoted
from svc.toolkit.action_error import ActionError

Bytes = bytes | bytearray | memoryview

#: ``text/csv; charset=utf-8``: parameters are for files alone.
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+", re.ASCII)
_TEXT_TYPE = re.compile(r"text/.*|application/(json|xml|yaml|javascript|sql)|.*\+(json|xml)")


@dataclass(frozen=True, eq=False, slots=True)
class Attachment:
    """Sent beside the result. Inside the result's JSON the attachment becomes words, such as ``[image image/png, 34
    KB]``.
    """

    block: ContentBlock

    def __str__(self) -> str:
        return describe_block(self.block)


def text_block(text: str) -> ContentBlock:
    if not isinstance(text, str):
        raise _invalid("ctx.text(text) takes a text")
    return {"type": "text", "text": text}


def media_block(kind: Literal["image", "audio"], data: Bytes, media_type: str) -> ContentBlock:
    checked = _check_media_type(media_type)
    if not checked.startswith(f"{kind}/"):
        example = "image/png" if kind == "image" else "audio/mpeg"
        raise _invalid(
            f'ctx.{kind}(data, media_type) takes a media type such as "{example}", not "{checked}"; '
            "use ctx.file for other files"
        )
    return {"type": kind, "data": _base64(data, f"ctx.{kind}"), "mimeType": checked}


def file_block(content: Bytes | str, media_type: str, uri: str) -> ContentBlock:
    """A file.

    Args:
        content: a text, or bytes; bytes of a text type become text.
        media_type: such as ``text/csv``.
        uri: the file's unique name; the address need not be readable.
    """
    checked = _check_media_type(media_type)
    text = content if isinstance(content, str) else _utf8(content) if _TEXT_TYPE.fullmatch(checked) else None
    if text is not None:
        return {"type": "resource", "resource": {"uri": uri, "mimeType": checked, "text": text}}
    blob = _base64(content, "ctx.file")
    return {"type": "resource", "resource": {"uri": uri, "mimeType": checked, "blob": blob}}


def link_block(
    uri: str, name: str | None, title: str | None, description: str | None, media_type: str | None, size: int | None
) -> ContentBlock:
    try:
        url = urlsplit(uri)
    except (ValueError, AttributeError, TypeError):
        url = None
    if url is None or not isinstance(uri, str) or not url.scheme:
        raise _invalid(
            f'ctx.link(uri) takes a whole address such as "https://example.com/report.pdf", not {quoted(uri)}'
        )
    last_part = next((part for part in reversed(url.path.split("/")) if part), "")
    members: dict[str, object] = {
        "type": "resource_link",
        "uri": uri,
        "name": name if name is not None else last_part or url.netloc or uri,
        "title": title,
        "description": description,
        "mimeType": None if media_type is None else _check_media_type(media_type),
        "size": size,
    }
    return {member: value for member, value in members.items() if value is not None}


def _check_media_type(media_type: object) -> str:
    checked = str(media_type).lower().partition(";")[0].strip()
    if _MEDIA_TYPE.fullmatch(checked):
        return checked
    raise _invalid(f'A media type looks like "image/png", not {quoted(media_type)}')


def _base64(data: object, method: str) -> str:
    if not isinstance(data, bytes | bytearray | memoryview):
        raise _invalid(f"{method} takes bytes, not {type(data).__name__}; of a file, give it `path.read_bytes()`")
    # Model APIs refuse a whole conversation for an empty image.
    if len(data) == 0:
        raise _invalid(f"{method} got no bytes")
    return base64.b64encode(data).decode()


def _utf8(data: object) -> str | None:
    """None for bytes that are not UTF-8."""
    try:
        return bytes(data).decode() if isinstance(data, bytes | bytearray | memoryview) else None
    except UnicodeDecodeError:
        return None


def _invalid(message: str) -> ActionError:
    return ActionError("INVALID_RESULT", message)
