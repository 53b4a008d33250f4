"""``node test/world.ts``: the services and fakes for the tests of an SDK."""

import json
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.support.repository import NODE, REPOSITORY


class World:
    """The line that the world prints, and its control requests."""

    def __init__(self, line: dict[str, Any]) -> None:
        self.line = line

    @property
    def agent_key(self) -> str:
        return str(self.line["keys"]["agent"])

    @property
    def service_url(self) -> str:
        """The address of a relay to the service, which records calls."""
        return str(self.line["service"]["recordedUrl"])

    @property
    def model_url(self) -> str:
        return str(self.line["model"]["baseUrl"])

    def script(self, answers: list[Any]) -> None:
        """The next answers of the model."""
        request(f"{self.line['model']['origin']}/script", answers)

    def model_requests(self) -> list[Any]:
        return list(request(f"{self.line['model']['origin']}/requests"))

    def calls(self) -> list[Any]:
        """The calls that the service received."""
        return list(request(f"{self.line['control']}/calls"))

    def runs(self) -> dict[str, int]:
        """The number of runs of each label of the counting toolkit."""
        return dict(request(f"{self.line['control']}/runs"))

    def connect(self, link: str) -> str:
        """Connects an account on the page of the link, and returns the code that the page shows."""
        return str(request(f"{self.line['control']}/connect", {"url": link})["code"])

    def open_gate(self) -> None:
        request(f"{self.line['control']}/gate", {})

    def fake(self, name: str, path: str, body: Any = None) -> Any:
        """Sends a control request to the fake of a platform."""
        return request(f"{self.line[name]['origin']}/{path}", body)


def request(url: str, body: Any = None) -> Any:
    """Sends POST if there is a body."""
    data = None if body is None else json.dumps(body).encode()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(url, data, {"content-type": "application/json"})) as response:
        text = response.read()
    return json.loads(text) if text else None


@contextmanager
def start_world() -> Iterator[World]:
    """The world ends with the block."""
    command = [NODE, "test/world.ts"]
    with subprocess.Popen(command, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        try:
            yield World(json.loads(process.stdout.readline()))
        finally:
            process.stdin.close()
            process.wait()
