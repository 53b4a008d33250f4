"""The fakes of ``svc-sdk/agent/testing``: real servers on loopback, a new one for each test."""

import asyncio
import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.repository import NODE, REPOSITORY
from tests.support.waiting import PATIENCE

#: A one-pixel PNG.
PNG = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)


class FakeProcess:
    """The program that runs the fakes."""

    def __init__(self) -> None:
        program = Path(__file__).with_name("fakes.mjs")
        self._process = subprocess.Popen(
            [NODE, str(program)], cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, request: dict[str, Any]) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        assert self._process.stdout
        self._process.communicate()


class FakePlatform:
    """One platform. Names of members and options are in snake case."""

    def __init__(self, process: FakeProcess, platform: str, **options: Any) -> None:
        self._process = process
        opened = process.ask({"platform": platform, "options": _to_camel(options)})
        self.platform = platform
        self.origin: str = opened["origin"]
        self.secret: str = opened["secret"]
        self.mention: str = opened["mention"]
        self.client_options = _to_snake(opened["clientOptions"])
        self.wrong_credentials = _to_snake(opened["wrongCredentials"])

    def say(self, text: str, **message: Any) -> str:
        """Writes as a person. Returns the id of the message."""
        said: str = self.call("say", _to_camel({"text": text, **message}))
        return said

    def press(self, button: str, **press: Any) -> None:
        self.call("press", _to_camel({"button": button, **press}))

    def fault(self, *, hang: float = 0, **fault: Any) -> None:
        """Makes requests fail. ``hang``: seconds before the answer."""
        self.call("fault", {**_to_camel(fault), **({"hangMs": round(hang * 1000)} if hang else {})})

    @property
    def sent(self) -> list[Any]:
        """The bot's messages in their current form."""
        return [_to_snake(message) for message in self.read("sent")]

    @property
    def requests(self) -> list[dict[str, Any]]:
        return list(self.read("requests"))

    def count(self, path_end: str, method: str | None = None) -> int:
        """The number of requests whose path has this end."""
        found = [request for request in self.requests if request["path"].endswith(path_end)]
        return len([request for request in found if method in (None, request["method"])])

    def read(self, member: str) -> Any:
        return self._process.ask({"origin": self.origin, "member": member})

    def call(self, member: str, *args: Any) -> Any:
        return self._process.ask({"origin": self.origin, "member": member, "args": args})


async def until(condition: Callable[[], object]) -> None:
    """Waits for a condition."""
    give_up_at = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < give_up_at, "The condition did not come true"
        await asyncio.sleep(0.01)


def _to_camel(members: dict[str, Any]) -> dict[str, Any]:
    return {_camel(name): value for name, value in members.items()}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.title() for other in others)


def _to_snake(members: dict[str, Any]) -> dict[str, Any]:
    return {"".join(f"_{c.lower()}" if c.isupper() else c for c in name): value for name, value in members.items()}
