"""The content of a ``tool_result``: a text, or a text with images and PDFs for the model."""

from svc.tools import ModelMedia, ToolAnswer


def to_content(answer: ToolAnswer) -> str | list[dict[str, object]]:
    """Every model of the API reads images and PDFs, so they are always sent."""
    if not answer.media:
        return answer.content
    return [{"type": "text", "text": answer.content}, *map(_to_block, answer.media)]


def _to_block(media: ModelMedia) -> dict[str, object]:
    source = {"type": "base64", "media_type": media.media_type, "data": media.data}
    if media.media_type == "application/pdf":
        return {"type": "document", "source": source, "title": media.name}
    return {"type": "image", "source": source}
