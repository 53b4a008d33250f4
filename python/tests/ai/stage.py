"""A real service with the toolkits of the contract, and scripted models: ``stage.mjs``, one process for all tests."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from svc import Tools
from tests.support.repository import NODE, REPOSITORY

#: The one-pixel image of ``probe__show``, in base64.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

#: The last words of a scripted model.
DONE = "That is all."

_BUDGET = {"perCall": "10", "perDay": "100"}


@dataclass(frozen=True)
class Model:
    """A scripted model on loopback. It speaks chat completions, Responses, Anthropic messages and Gemini."""

    origin: str
    #: The address for ``OpenAI(base_url=…)``.
    base_url: str


class StageProcess:
    """The program."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [NODE, "--import", "./scripts/source-imports.ts", str(Path(__file__).with_name("stage.mjs"))],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, do: str, **request: Any) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"do": do, **request}) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


class Stage:
    """The stage as one test uses it: a separate key, and no records of earlier tests."""

    def __init__(self, process: StageProcess) -> None:
        self._process = process
        process.ask("reset")
        self.url: str = process.ask("url")
        self.api_key: str = process.ask("createKey")
        self.tools = Tools(self.api_key, base_url=self.url)

    @property
    def connection(self) -> dict[str, Any]:
        """The options of ``tools``."""
        return {"api_key": self.api_key, "base_url": self.url}

    def shop_tools(self) -> Tools:
        """A client with a budget for ``shop__buy``, which charges 0.03 of its price."""
        return Tools(self._process.ask("createKey", budget=_BUDGET), base_url=self.url)

    def reprice(self, amount: str) -> None:
        """Registers ``shop__buy`` with another price; the first price is 0.05."""
        self._process.ask("reprice", amount=amount)

    def revoke_key(self) -> None:
        self._process.ask("revokeKey", key=self.api_key)

    def stop_weather(self) -> None:
        self._process.ask("stopWeather")

    def start_weather(self) -> None:
        self._process.ask("startWeather")

    @property
    def erased(self) -> list[str]:
        """Names that ``probe__erase`` has erased."""
        return list(self._state()["erased"])

    @property
    def bought(self) -> list[str]:
        """Every run of ``shop__buy``."""
        return list(self._state()["bought"])

    @property
    def hangs(self) -> dict[str, int]:
        """The runs of ``probe__hang`` that have ``begun``, and those that were ``aborted``."""
        return dict(self._state()["hangs"])

    @property
    def records(self) -> list[dict[str, Any]]:
        """Every call that the service has recorded: ``action`` and ``code``."""
        return list(self._state()["records"])

    def open_model(self, turns: list[list[dict[str, Any]]], *, says: str = DONE) -> Model:
        """A model that makes these calls, one list a turn, and ends with this text."""
        opened = self._process.ask("openModel", turns=turns, says=says)
        return Model(opened["origin"], opened["baseUrl"])

    def close_model(self, model: Model) -> dict[str, Any]:
        """Returns the last ``conversation`` of the request to the model, and the bodies of its ``requests``."""
        seen: dict[str, Any] = self._process.ask("closeModel", origin=model.origin)
        return seen

    def _state(self) -> Any:
        return self._process.ask("state")
