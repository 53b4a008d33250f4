"""A kernel of Jupyter as a program: runs the cells of stdin, a list of JSON, and prints the list of their outputs.

A separate program, because the client of Jupyter leaves an event loop behind.
"""

import json
import sys
from typing import Any

from jupyter_client.manager import start_new_kernel


def run_cells(cells: list[str]) -> list[str]:
    manager, client = start_new_kernel()
    try:
        return [_run(client, cell) for cell in cells]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def _run(client: Any, cell: str) -> str:
    printed: list[str] = []

    def show(message: Any) -> None:
        if message["msg_type"] == "stream":
            printed.append(message["content"]["text"])

    reply = client.execute_interactive(cell, timeout=60, output_hook=show)["content"]
    if reply["status"] != "ok":
        raise RuntimeError(f"{reply['ename']}: {reply['evalue']}")
    return "".join(printed)


if __name__ == "__main__":
    print(json.dumps(run_cells(json.load(sys.stdin))))
