"""The echo of ``npm run bench:languages``: ``python -m tests.bench.echo_toolkit [connections]``."""

import sys
import time
from typing import Any

from svc import ActionContext, Toolkit
from tests.bench.serve_toolkit import serve_toolkit


def define(toolkit: Toolkit) -> None:
    @toolkit.action(action="echo", action_description="Echoes")
    async def echo(ctx: ActionContext, payload: Any) -> Any:
        return payload

    @toolkit.action(action="echo_in_thread", action_description="Echoes in a thread")
    def echo_in_thread(ctx: ActionContext, payload: Any) -> Any:
        return payload

    @toolkit.action(action="cpu", action_description="Milliseconds of processor time of this process")
    async def cpu(ctx: ActionContext) -> float:
        return time.process_time() * 1_000


if __name__ == "__main__":
    serve_toolkit(define, connections=int(sys.argv[1]) if len(sys.argv) > 1 else 1)
