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
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from svc import Tools

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
        return (await tools.invoke(action, payload))["result"]

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
        answer = await call()
        assert job["payload"] in (answer, answer.get("result")), f"{answer!r} is not the echo"
        await call_for(call, job["warmUpMs"] / 1_000, job["concurrency"])
        started_at, before = time.perf_counter(), time.process_time()
        calls = await call_for(call, job["measureMs"] / 1_000, job["concurrency"])
        cpu_ms = (time.process_time() - before) * 1_000
        return {
            "calls": calls,
            "perSecond": calls / (time.perf_counter() - started_at),
            "cpuMsPerCall": cpu_ms / calls,
        }


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(asyncio.run(run(json.loads(line)))), flush=True)
