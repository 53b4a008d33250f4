"""The service, keys, a model and platforms for the programs of pages and examples."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

from svc import Toolkit, Tools
from svc.testing import LocalService
from tests.support.keys import create_key
from tests.support.running import serving
from tests.support.waiting import PATIENCE


class Stage:
    """One service for all pages. Each key is created once."""

    def __init__(self, service: LocalService, model_url: str) -> None:
        self.service = service
        self.model_url = model_url
        self._keys: dict[tuple[str, ...], str] = {}

    @property
    def agent_key(self) -> str:
        """A key with a budget."""
        return self._agent_key("reader")

    def toolkit_key(self, name: str) -> str:
        return self._key("toolkit", name)

    def key_that_asks(self, action: str) -> str:
        """An agent key whose application decides about each call of an action."""
        rule = {"match": {"action": action}, "do": "ask", "decidedBy": "app"}
        return create_key(self.service, "agent", "asks", rules=[rule])

    def environment(self, toolkit: str = "weather") -> dict[str, str]:
        """The variables that programs read."""
        return {
            "SVC_BASE_URL": self.service.url,
            "SVC_AGENT_API_KEY": self.agent_key,
            "SVC_TOOLKIT_API_KEY": self.toolkit_key(toolkit),
            "OPENAI_BASE_URL": self.model_url,
            "OPENAI_API_KEY": "any",
        }

    def tools(self, agent: str = "reader") -> Tools:
        """
        Args:
            agent: name of the key. Idempotency keys of different agents are separate.
        """
        return Tools(self._agent_key(agent), base_url=self.service.url)

    @asynccontextmanager
    async def toolkit(self, name: str, define: Callable[[Toolkit], object]) -> AsyncIterator[None]:
        toolkit = Toolkit(self.toolkit_key(name), base_url=self.service.url)
        define(toolkit)
        async with serving(toolkit):
            yield

    def _agent_key(self, name: str) -> str:
        return self._key("agent", name, budget=True)

    def _key(self, kind: Literal["agent", "toolkit"], name: str, *, budget: bool = False) -> str:
        known = (kind, name)
        if known not in self._keys:
            self._keys[known] = create_key(self.service, kind, name, budget=budget)
        return self._keys[known]


@asynccontextmanager
async def program(
    file: Path, *args: str, environment: Mapping[str, str], cwd: Path | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Runs a Python program, killed at the end of the block."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(file),
        *args,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        cwd=cwd or file.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def output_of(file: Path, *args: str, environment: Mapping[str, str]) -> str:
    """The text that a program prints. The program must end with exit code 0 and write nothing to stderr."""
    async with program(file, *args, environment=environment) as process:
        printed, said = await asyncio.wait_for(process.communicate(), 60)
    assert (process.returncode, said.decode()) == (0, "")
    return printed.decode()


async def until_found(tools: Tools, query: str, action: str) -> None:
    """Waits until a search finds the action."""
    async with asyncio.timeout(PATIENCE):
        while action not in [found["action"] for found in (await tools.search(query))["actions"]]:
            await asyncio.sleep(0.05)
