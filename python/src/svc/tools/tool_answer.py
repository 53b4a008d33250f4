"""The answer to one tool call, for a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from svc.errors import SvcError
from svc.protocol.content import ContentBlock
from svc.protocol.http import CallPayment, UnfinishedInvocation


@dataclass(frozen=True, slots=True)
class ModelMedia:
    """An image or a PDF of a result."""

    #: ``image/png``, ``image/jpeg``, ``image/gif``, ``image/webp`` or ``application/pdf``, by the bytes.
    media_type: str
    #: Base64.
    data: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """The answer to one tool call.

    Attributes:
        value: the result as JSON; ``{"result", "content"}`` with words such as ``[image image/png, 34 KB]`` for a
            result that is more than JSON; ``{"error": {"code", "message", …}}`` for a failure.
        content: the value as text: a text result unchanged, everything else as compact JSON. For a call of a program:
            the JSON of the result, without notes, also of a text.
        blocks: the result as content blocks if it is more than JSON: first its text, then texts, images, files and
            links in their order. Third parties write them.
        media: the blocks that a model can look at, in the same order.
        result: the result of an action alone, without notes and blocks: its beginning as a text when it is too long.
            None for a failure and a search.
        payment: the cost of a paid action. ``value`` and ``content`` do not contain the cost.
        meta: ``_meta`` of a result for MCP clients. ``value`` and ``content`` do not contain it.
        unfinished: the call goes on without its caller, and the model reads its handle.
        error: the failure.
    """

    value: Any
    content: str
    blocks: Sequence[ContentBlock] = ()
    media: Sequence[ModelMedia] = ()
    result: Any = None
    payment: CallPayment | None = None
    meta: dict[str, Any] | None = None
    unfinished: UnfinishedInvocation | None = None
    error: SvcError | None = None
