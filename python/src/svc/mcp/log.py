"""The client's log, which is stderr: stdout belongs to the protocol."""

import sys
from contextlib import suppress

from svc.errors import SvcError
from svc.protocol.invisible_text import printable


def log(problem: SvcError | str) -> None:
    """Writes one line."""
    text = f"{problem.code}: {problem.message}" if isinstance(problem, SvcError) else problem
    # The client may have closed stderr.
    with suppress(OSError):
        print(printable(f"svc-tools-mcp: {text}"), file=sys.stderr, flush=True)
