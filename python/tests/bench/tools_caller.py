"""Runs the calls of the jobs on stdin; prints the figures of each job as a line of JSON: ``python -m
tests.bench.tools_caller``.

bench/languages/caller-job.ts has the shapes.
"""

import asyncio
import json
import secrets
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from svc import SyncTools, Tools

Call = Callable[[], Awaitable[Any]]


@asynccontextmanager
async def bare_call(job: Any) -> AsyncIterator[Call]:
    """The same POST request as ``Tools.invoke`` sends."""
    url = f"{job['baseUrl']}/v1/invoke"
    body = {"action": job["action"], "payload": job["payload"]}
    headers = {"authorization": f"Bearer {job['apiKey']}", "accept": "application/json", "svc-timeout-ms": "60000"}
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=20)

    async def call() -> Any:
        keyed = {**headers, "idempotency-key": secrets.token_hex(16)}
        response = await client.post(url, json=body, headers=keyed, timeout=60)
        response.raise_for_status()
        return response.json()["result"]

    async with httpx2.AsyncClient(limits=limits) as client:
        yield call


@asynccontextmanager
async def sdk_call(job: Any) -> AsyncIterator[Call]:
    action, payload = job["action"], job["payload"]

    async def invoke() -> Any:
        return (await tools.invoke(action, payload)).result

    async def call_tool() -> Any:
        return await tools.call_tool("invoke_service", {"action": action, "payload": payload})

    async with Tools(job["apiKey"], base_url=job["baseUrl"]) as tools:
        yield invoke if job["kind"] == "invoke" else call_tool


async def call_for(call: Call, seconds: float, concurrency: int) -> int:
    """The number of calls."""
    until = time.perf_counter() + seconds
    calls = 0

    async def call_in_turn() -> None:
        nonlocal calls
        while time.perf_counter() < until:
            await call()
            calls += 1

    await asyncio.gather(*(call_in_turn() for _ in range(concurrency)))
    return calls


async def run(job: Any) -> dict[str, float]:
    async with (bare_call if job["kind"] == "bare" else sdk_call)(job) as call:
        check(job, await call())
        await call_for(call, job["warmUpMs"] / 1_000, job["concurrency"])
        started_at, before = time.perf_counter(), time.process_time()
        calls = await call_for(call, job["measureMs"] / 1_000, job["concurrency"])
        return figures(calls, started_at, before)


def run_sync(job: Any) -> dict[str, float]:
    """The calls of ``SyncTools``, each caller in a thread of its own."""

    def call_in_turn(until: float) -> int:
        calls = 0
        while time.perf_counter() < until:
            tools.invoke(job["action"], job["payload"])
            calls += 1
        return calls

    def call_for_ms(ms: float) -> int:
        until = time.perf_counter() + ms / 1_000
        return sum(threads.map(call_in_turn, [until] * job["concurrency"]))

    with (
        SyncTools(job["apiKey"], base_url=job["baseUrl"]) as tools,
        ThreadPoolExecutor(job["concurrency"]) as threads,
    ):
        check(job, tools.invoke(job["action"], job["payload"]).result)
        call_for_ms(job["warmUpMs"])
        started_at, before = time.perf_counter(), time.process_time()
        return figures(call_for_ms(job["measureMs"]), started_at, before)


def check(job: Any, answer: Any) -> None:
    assert job["payload"] in (answer, answer.get("result")), f"{answer!r} is not the echo"


def figures(calls: int, started_at: float, before: float) -> dict[str, float]:
    cpu_ms = (time.process_time() - before) * 1_000
    per_second = calls / (time.perf_counter() - started_at)
    return {"calls": calls, "perSecond": per_second, "cpuMsPerCall": cpu_ms / calls}


if __name__ == "__main__":
    for line in sys.stdin:
        job = json.loads(line)
        print(json.dumps(run_sync(job) if job["kind"] == "sync_invoke" else asyncio.run(run(job))), flush=True)
