"""Images, files and links beside the JSON of a result, in MCP's content types.

Shape: ``data`` and ``blob`` are standard base64 with padding.
Source: docs/protocol.md, section 5; Model Context Protocol 2025-06-18, server/tools, "Tool Result".
"""

import math
from typing import Any
from urllib.parse import unquote_to_bytes

ContentBlock = dict[str, Any]


def describe_block(block: ContentBlock) -> str:
    """A description of the block, such as ``[image image/png, 34 KB]``; a text block is its own text. Never base64."""
    kind = block.get("type")
    if kind in ("image", "audio"):
        return f"[{kind} {block.get('mimeType')}, {_size_of(block.get('data', ''))}]"
    if kind == "resource":
        return _describe_resource(block["resource"])
    if kind == "resource_link":
        return _describe_link(block)
    return str(block.get("text", ""))


def file_name(uri: str) -> str:
    """The last part of a URI."""
    name = uri[uri.rfind("/") + 1 :]
    try:
        return unquote_to_bytes(name).decode() or uri
    except UnicodeDecodeError:
        return name


def _describe_resource(resource: dict[str, Any]) -> str:
    name, media_type, text = file_name(resource["uri"]), resource.get("mimeType"), resource.get("text")
    if text is not None:
        return f"[file {_listed(name, media_type)}]\n{text}"
    return f"[file {_listed(name, media_type, _size_of(resource.get('blob', '')))}]"


def _describe_link(block: ContentBlock) -> str:
    size = None if block.get("size") is None else _format_bytes(block["size"])
    title = block["name"] if block.get("title") is None else block["title"]
    return f"[link {_listed(title, block.get('mimeType'), size, block.get('description'))}: {block['uri']}]"


def _listed(*parts: str | None) -> str:
    return ", ".join(part for part in parts if part is not None)


def _size_of(base64: str) -> str:
    return _format_bytes(len(base64) // 4 * 3 - (len(base64) - len(base64.rstrip("="))))


def _format_bytes(count: int) -> str:
    if count < 1024:
        return f"{count} bytes"
    if count < 1024 * 1024:
        return f"{math.floor(count / 1024 + 0.5)} KB"
    return f"{count / 1024 / 1024:.1f} MB"
