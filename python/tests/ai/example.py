"""The unchanged programs of examples/python and of docs/adapters."""

import asyncio
import re
import runpy
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.ai.stage import Model, Stage
from tests.ai.stage_conversation import DONE, invoke
from tests.support.repository import REPOSITORY

_EXAMPLES = REPOSITORY / "examples" / "python"
_PAGES = REPOSITORY / "docs" / "adapters"


def runs_programs(page: str, *names: str) -> Callable[..., Awaitable[None]]:
    """The test of the programs of one adapter: ``test_program = runs_programs("langchain", "langchain_ask")``.

    Args:
        page: the page whose Python block is a program.
        names: of files in examples/python, without ``.py``.
    """

    @pytest.mark.parametrize("program", [f"docs/adapters/{page}.md", *names])
    async def test_program(
        program: str,
        stage: Stage,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        file = _EXAMPLES / f"{program}.py"
        if program not in names:
            (code,) = re.findall(r"```python\n(.*?)```", (_PAGES / f"{page}.md").read_text(), re.DOTALL)
            file = tmp_path / "program.py"
            file.write_text(code)
        search = {"name": "search_services", "arguments": {"query": "weather"}}
        model = stage.open_model([[search], [invoke("weather__today", {"city": "Rome"})]])
        seen = await _run(file, "How warm is it in Rome?", stage, model, monkeypatch)
        assert capsys.readouterr().out == f"{DONE}\n"
        assert "21" in str(seen["conversation"]["turns"][-1])

    return test_program


def asks_before_it_erases(name: str) -> Callable[..., Awaitable[None]]:
    """The test of a program that asks: ``test_question = asks_before_it_erases("pydantic_ai_ask")``.

    Args:
        name: of a file in examples/python, without ``.py``.
    """

    @pytest.mark.parametrize("reply", ["y", "n"])
    async def test_question(reply: str, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
        erased = f"\u202egpj\u200b{'!' * 5_000}"
        model = stage.open_model([[invoke("probe__erase", {"name": erased, "because": "old"})]])
        asked: list[str] = []

        def answer(question: str) -> str:
            asked.append(question)
            return reply

        monkeypatch.setattr("builtins.input", answer)
        await _run(_EXAMPLES / f"{name}.py", "Erase it", stage, model, monkeypatch)
        (question,) = asked
        shown = r'probe__erase {"name":"\\u202egpj\\u200b!+"… \d+ more,"because":"old"}'
        assert re.fullmatch(rf"Run {shown}\? \(y/n\) ", question)
        assert stage.erased == ([erased] if reply == "y" else [])

    return test_question


async def _run(file: Path, question: str, stage: Stage, model: Model, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a program with the model, and closes the model. Returns the requests that the model received."""
    environment = {
        "SVC_BASE_URL": stage.url,
        "SVC_AGENT_API_KEY": stage.api_key,
        "OPENAI_BASE_URL": model.base_url,
        "ANTHROPIC_BASE_URL": model.origin,
        "GOOGLE_GEMINI_BASE_URL": model.origin,
        **dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"), "any"),
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    loop = asyncio.get_running_loop()
    # Frameworks share connections between the programs of a process, and the connections belong to one event loop.
    monkeypatch.setattr(asyncio, "run", lambda main: asyncio.run_coroutine_threadsafe(main, loop).result(30))
    monkeypatch.setattr(sys, "argv", [str(file), question])
    try:
        # The program runs in this process, which has loaded the framework.
        await asyncio.to_thread(runpy.run_path, str(file), run_name="__main__")
    finally:
        seen = stage.close_model(model)
    return seen
