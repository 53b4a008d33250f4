"""``SyncTools`` and ``run_blocking`` over real sockets: threads, forks, running loops, interrupts, ends of programs."""

import asyncio
import inspect
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import pytest

from svc import SyncTools, Tools, run_blocking
from tests.support.waiting import PATIENCE, until
from tests.support.wire_server import Received, Reply, wire_server

KEY = "svc_agent_any"
FOUND = Reply(body={"actions": []})
DONE = Reply(body={"invocationId": "inv_1", "result": 7})
#: Names that ``Tools`` does not have.
OWN = {"of", "async_tools"}


def public_methods(cls: type) -> dict[str, Callable[..., Any]]:
    return {name: member for name, member in vars(cls).items() if name[0] != "_" and inspect.isfunction(member)}


def shape_of(method: Callable[..., Any]) -> list[tuple[str, Any, Any]]:
    return [(each.name, each.kind, each.default) for each in inspect.signature(method).parameters.values()]


def test_it_has_the_methods_of_tools_with_their_parameters_and_docs() -> None:
    there = {"close" if name == "aclose" else name: method for name, method in public_methods(Tools).items()}
    here = public_methods(SyncTools)
    assert here.keys() == there.keys()
    for name, method in [*there.items(), ("__init__", Tools.__init__)]:
        own = getattr(SyncTools, name)
        assert shape_of(own) == shape_of(method), name
        assert own.__doc__ == method.__doc__, name
        assert not inspect.iscoroutinefunction(own), name


def test_it_has_nothing_else() -> None:
    public = {name for name in dir(SyncTools) if name[0] != "_"} | set(SyncTools.__annotations__)
    assert public - public_methods(SyncTools).keys() == OWN


async def test_threads_share_one_loop_and_one_tools() -> None:
    async with wire_server(DONE) as server:
        tools = SyncTools(KEY, base_url=server.url)

        def call(number: int) -> int:
            return int(tools.invoke("a__b", number)["result"])

        def call_all() -> list[int]:
            with ThreadPoolExecutor(64) as threads:
                return list(threads.map(call, range(64)))

        assert await asyncio.to_thread(call_all) == [7] * 64
        assert sorted(request.body["payload"] for request in server.received) == list(range(64))
        assert sum(thread.name == "svc-blocking" for thread in threading.enumerate()) == 1
        await asyncio.to_thread(tools.close)


async def test_tools_for_a_user_are_blocking_too() -> None:
    async with wire_server(FOUND) as server:

        def play() -> None:
            with SyncTools(KEY, base_url=server.url) as tools:
                tools.for_user("ann", session_id="s").search("weather")
                tools.close()
                # The next call opens new connections.
                SyncTools.of(tools.async_tools).search("weather")

        await asyncio.to_thread(play)
        assert [request.headers.get("svc-user-id") for request in server.received] == ["ann", None]


async def test_a_plain_callback_may_block_and_make_calls_of_its_own() -> None:
    async def progress(_: Received) -> Reply:
        events = 'event: progress\ndata: {"progress": 1}\n\nevent: result\ndata: {"invocationId": "i", "result": 1}\n\n'
        return Reply(raw=events.encode(), headers={"content-type": "text/event-stream"})

    async with wire_server(FOUND, progress, FOUND) as server:
        keys = SyncTools(KEY, base_url=server.url)
        seen: list[object] = []

        def give() -> str:
            seen.append(keys.search("a key"))
            return KEY

        def play() -> None:
            with keys, SyncTools(give, base_url=server.url) as tools:
                tools.invoke("a__b", on_progress=lambda progress: seen.append(keys.search(str(progress["progress"]))))

        await asyncio.to_thread(play)
        assert seen == [FOUND.body, FOUND.body]


def test_a_coroutine_that_waits_for_itself_is_refused() -> None:
    async def nested() -> None:
        run_blocking(asyncio.sleep(0))

    with pytest.raises(RuntimeError, match="write `await` instead"):
        run_blocking(nested())


def test_a_callback_that_ends_the_program_leaves_the_loop_to_others() -> None:
    async def leave() -> None:
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        run_blocking(leave())
    assert run_blocking(asyncio.sleep(0, 1)) == 1


@asynccontextmanager
async def running_program(code: str, url: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A program with the name ``tools``, killed at the end of the block."""
    head = f"from svc import SyncTools\ntools = SyncTools({KEY!r}, base_url={url!r})\n"
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-c", head + code)
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def ended(code: str, url: str) -> tuple[int | None, str, str]:
    async with running_program(code, url) as process, asyncio.timeout(PATIENCE):
        stdout, stderr = await process.communicate()
        return process.returncode, stdout.decode(), stderr.decode()


async def test_a_caller_inside_of_a_running_loop_can_block() -> None:
    code = """
import asyncio
async def main():
    print(tools.search("weather"), (await tools.async_tools.search("weather")))
asyncio.run(main())
"""
    async with wire_server(FOUND) as server:
        assert await ended(code, server.url) == (0, "{'actions': []} {'actions': []}\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
async def test_a_forked_child_calls_and_its_parent_goes_on() -> None:
    code = """
import os
tools.search("before")
children = []
for number in range(3):
    child = os.fork()
    if child == 0:
        print(tools.search(f"child {number}"), flush=True)
        os._exit(0)
    children.append(child)
codes = [os.waitpid(child, 0)[1] for child in children]
print(codes, tools.search("after"))
"""
    async with wire_server(FOUND) as server:
        assert await ended(code, server.url) == (0, "{'actions': []}\n" * 3 + "[0, 0, 0] {'actions': []}\n", "")
        queries = [request.body["query"] for request in server.received]
        assert sorted(queries) == ["after", "before", "child 0", "child 1", "child 2"]


async def test_an_interrupt_cancels_the_call() -> None:
    code = """
try:
    tools.search("slow")
except KeyboardInterrupt:
    print("interrupted", flush=True)
    input()
"""
    async with wire_server(Reply(silent=True)) as server, running_program(code, server.url) as process:
        await until(lambda: server.received)
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        assert await process.stdout.readline() == b"interrupted\n"
        await until(lambda: server.left)
        stdout, stderr = await process.communicate(b"\n")
        assert (process.returncode, stdout, stderr) == (0, b"", b"")


async def test_a_program_ends_with_calls_and_callbacks_that_still_wait() -> None:
    code = """
import threading
begun = threading.Event()
def never():
    begun.set()
    threading.Event().wait()
for call in (lambda: tools.search("slow"), lambda: SyncTools(never).search("slow")):
    threading.Thread(target=call, daemon=True).start()
begun.wait()
print("the end")
"""
    async with wire_server(Reply(silent=True)) as server:
        assert await ended(code, server.url) == (0, "the end\n", "")
