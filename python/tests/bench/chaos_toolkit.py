"""A replica that the chaos harness kills: ``python -m tests.bench.chaos_toolkit <ledger file> <actions as JSON>``.

Behaves like bench/chaos/toolkit.ts: logs each run before and after its effect; SIGUSR2 makes it slow for a
while. Half of the actions are plain functions, which run in threads.
"""

import asyncio
import json
import os
import signal
import sys
import time
import uuid
from typing import Any

from svc import ActionContext, Toolkit
from svc.toolkit import Handler
from tests.bench.serve_toolkit import serve_toolkit

_SLOW_FOR = 3.0
_SLOW_BY = 2.5
_PLAIN_FUNCTIONS = ("charge", "read", "fails")


class Ledger:
    """The line is on disk before the run continues."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def write(self, event: str, line: dict[str, Any]) -> None:
        text = json.dumps({"event": event, "at": time.time_ns() // 1_000_000, **line})
        os.write(self._file, f"{text}\n".encode())
        os.fdatasync(self._file)


class Work:
    """The work of all handlers."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._slow_until = 0.0

    def slow_down(self) -> None:
        self._slow_until = time.monotonic() + _SLOW_FOR

    def seconds(self, payload: Any) -> float:
        work: float = payload["workMs"] / 1_000
        return work + (_SLOW_BY if time.monotonic() < self._slow_until else 0.0)

    def begin(self, ctx: ActionContext, call: int) -> None:
        named = {"key": ctx.idempotency_key, "invocation": ctx.invocation_id, "attempt": ctx.attempt}
        self._ledger.write("begin", {"call": call, **named, "action": ctx.action})

    def end(self, ctx: ActionContext, call: int) -> Any:
        token = str(uuid.uuid4())
        failed = ctx.action == "fails"
        charged = None if ctx.payment is None else f"0.0{call % 6}"
        if charged is not None:
            ctx.charge(charged)
        line = {"call": call, "invocation": ctx.invocation_id, "token": token, "failed": failed}
        self._ledger.write("end", line if charged is None else {**line, "charged": charged})
        if failed:
            raise RuntimeError(token)
        return {"call": call, "token": token}

    def run(self, ctx: ActionContext, payload: Any) -> Any:
        self.begin(ctx, payload["call"])
        time.sleep(self.seconds(payload))
        return self.end(ctx, payload["call"])

    async def run_in_loop(self, ctx: ActionContext, payload: Any) -> Any:
        self.begin(ctx, payload["call"])
        await asyncio.sleep(self.seconds(payload))
        return self.end(ctx, payload["call"])


def main(ledger_path: str, actions: dict[str, Any]) -> None:
    work = Work(Ledger(ledger_path))
    signal.signal(signal.SIGUSR2, lambda *_: work.slow_down())

    def define(toolkit: Toolkit) -> None:
        for name, facts in actions.items():
            handler: Handler = work.run if name in _PLAIN_FUNCTIONS else work.run_in_loop
            toolkit.action(
                action=name,
                action_description=facts["description"],
                annotations=facts.get("annotations"),
                payment=facts.get("payment"),
                long=facts.get("long", False),
            )(handler)

    serve_toolkit(define)


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
