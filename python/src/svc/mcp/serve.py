"""Serves one client on stdin and stdout. The process ends when the client leaves, also during a call, which is then
cancelled.
"""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress

from svc.errors import SvcError
from svc.mcp.account_variables import read_connection_names, read_credentials
from svc.mcp.connection import Connection
from svc.mcp.environment import (
    ToolSelection,
    read_code_flag,
    read_max_payment,
    read_selection,
    read_session_id,
    read_user_id,
)
from svc.mcp.explained_tools import ExplainedTools
from svc.mcp.log import log
from svc.mcp.tool_server import ToolServer
from svc.protocol.json_text import to_json


def serve(arguments: list[str]) -> None:
    """Serves until the client leaves, then ends the process."""
    asyncio.run(_serve(server_from_environment(arguments)))


def server_from_environment(arguments: list[str]) -> ToolServer:
    """The server configured by the environment. With an invalid configuration it still serves: an ended process cannot
    explain the mistake.
    """
    try:
        if arguments:
            # The value is not quoted: by mistake it may be the key.
            raise SvcError(
                "INVALID_REQUEST", "svc-tools-mcp takes no arguments: set the SVC_… variables that --help lists"
            )
        credentials = read_credentials()
        tools = ExplainedTools(
            max_payment=read_max_payment(),
            code=read_code_flag(),
            user_id=read_user_id(),
            session_id=read_session_id(),
            connections=(lambda toolkit, _user_id: credentials.get(toolkit)) if credentials else None,
            connection_names=read_connection_names(),
        )
        return ToolServer(tools, read_selection())
    except SvcError as error:
        log(error)
        return ToolServer(error, ToolSelection())


async def _serve(server: ToolServer) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    connection = Connection(server, _sender(ended.set))
    check: asyncio.Task[None] | None = None

    def receive(line: bytes) -> None:
        nonlocal check
        connection.receive(line)
        # Runs after the first answer, so that the client does not wait longer for that answer.
        check = check or loop.create_task(_check(server))

    for sent in (signal.SIGINT, signal.SIGTERM):
        # Windows has no signal handlers here, and ends the process itself.
        with suppress(NotImplementedError):
            # The first process of a container ignores these signals without a handler.
            loop.add_signal_handler(sent, ended.set)
    if sys.stdin.isatty():
        print("svc-tools-mcp waits for an MCP client on stdin; --help shows how to set one up.", file=sys.stderr)
    # A thread can read pipes, files and terminals on every system.
    threading.Thread(target=_read_lines, args=(loop, receive, ended.set), daemon=True).start()
    await ended.wait()
    # A regular exit would wait for threads, such as a DNS lookup. The closed connections cancel the calls.
    os._exit(0)


async def _check(server: ToolServer) -> None:
    """Logs now the error that each call would show to the model later."""
    if problem := await server.find_problem():
        log(problem)


def _read_lines(loop: asyncio.AbstractEventLoop, receive: Callable[[bytes], None], end: Callable[[], None]) -> None:
    lines: Iterable[bytes] = sys.stdin.buffer
    with suppress(OSError):
        for line in lines:
            loop.call_soon_threadsafe(receive, line)
    loop.call_soon_threadsafe(end)


def _sender(end: Callable[[], None]) -> Callable[[dict[str, object]], None]:
    output = sys.stdout.buffer

    def send(message: dict[str, object]) -> None:
        line = to_json(message).encode() + b"\n"
        try:
            output.write(line)
            output.flush()
        except OSError:
            # The client has stopped reading.
            end()

    return send
