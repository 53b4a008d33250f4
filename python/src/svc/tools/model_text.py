"""The text for a model: results as compact JSON, errors as ``{"error": {…}}``.

A text that is cut at ``max_chars`` says so. A result has no control sequences of terminals and no invisible
characters: docs/limits.md.

Units: UTF-16 code units, as the service counts them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from svc.errors import SvcError
from svc.protocol.content import ContentBlock, describe_block
from svc.protocol.http import InvokeResponse
from svc.protocol.invisible_text import readable_json
from svc.protocol.json_text import to_json
from svc.protocol.number_digits import quote_numbers
from svc.protocol.utf16 import first_utf16_units, utf16_length


@dataclass(frozen=True, slots=True)
class ModelResult:
    """A result for a model."""

    #: JSON, with words in place of images and files.
    value: object
    #: The result alone, without a note.
    result: object
    #: The whole result as content blocks, for clients that show more than text. Empty if the result is only JSON.
    blocks: Sequence[ContentBlock] = ()


def to_model_result(response: InvokeResponse, max_chars: int) -> ModelResult:
    """The result, with a note if the payload was repaired, or if the result is cut or has images, files or links."""
    notes = list(response.get("repaired", ()))
    if cut := response.get("cut"):
        notes.append(f"The result has {cut['totalBytes']} bytes; these are its first {cut['keptBytes']}.")
    note = {"note": " ".join(notes)} if notes else {}
    result, content = response.get("result"), response.get("content", ())
    if not content:
        value = limit_value(result, max_chars)
        return ModelResult({"result": value, **note} if note else value, value)
    readable, readable_content = readable_json(result), readable_json(list(content))
    said = note if result is None else {"result": readable, **note}
    return ModelResult(
        limit_value({**said, "content": [describe_block(block) for block in readable_content]}, max_chars),
        limit_value(readable, max_chars),
        _limit_texts([*_result_blocks(readable, note), *readable_content], max_chars),
    )


def limit_value(value: object, max_chars: int) -> Any:
    """The value without invisible characters; if its text is too long for a model, the beginning of that text."""
    readable = readable_json(value)
    text = to_model_text(readable)
    return readable if utf16_length(text) <= max_chars else _cut_text(text, max_chars)


def to_model_text(value: object) -> str:
    """A text is unchanged; any other value becomes compact JSON. A number that would lose digits becomes a text of its
    digits.
    """
    if isinstance(value, str):
        return value
    text = to_json(value)
    return quote_numbers(text) if isinstance(value, dict | list) else text


def to_code_text(value: object) -> str:
    """JSON, also of a text, for a program that parses each answer."""
    return to_json(value) if isinstance(value, str) else to_model_text(value)


def to_error_text(error: SvcError, max_chars: int) -> str:
    return _cut_text(to_json({"error": error.to_json()}), max_chars)


def _result_blocks(result: object, note: dict[str, str]) -> list[ContentBlock]:
    if note:
        return [{"type": "text", "text": to_model_text({"result": result, **note})}]
    return [] if result is None else [{"type": "text", "text": to_model_text(result)}]


def _limit_texts(blocks: Sequence[ContentBlock], max_chars: int) -> list[ContentBlock]:
    """Limits the total length of all texts to the length of one result."""
    left = max_chars
    limited: list[ContentBlock] = []
    for block in blocks:
        holder = block.get("resource") if block.get("type") == "resource" else block
        text = holder.get("text") if isinstance(holder, dict) else None
        if not isinstance(text, str):
            limited.append(block)
            continue
        cut = {**holder, "text": _cut_text(text, left)} if holder else {}
        left = max(0, left - utf16_length(text))
        limited.append({**block, "resource": cut} if block.get("type") == "resource" else cut)
    return limited


def _cut_text(text: str, max_chars: int) -> str:
    length = utf16_length(text)
    if length <= max_chars:
        return text
    kept = first_utf16_units(text, max_chars)
    return (
        f"{kept}\n[Cut: {length} characters, these are the first {utf16_length(kept)}. "
        "Ask for less, or for a part, if you need the rest.]"
    )
