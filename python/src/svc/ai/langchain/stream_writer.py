"""The stream of the LangGraph graph that a tool runs in."""

import sys
from collections.abc import Callable


def stream_writer() -> Callable[[object], None] | None:
    """Writes to the stream mode ``custom``; None outside of a graph."""
    # A program with a graph has loaded the module already.
    if "langgraph.config" not in sys.modules:
        return None
    from langgraph.config import get_stream_writer

    try:
        return get_stream_writer()
    except (RuntimeError, KeyError):
        return None
