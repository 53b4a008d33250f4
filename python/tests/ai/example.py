"""The programs of examples/python, as they are."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable

import pytest

from tests.ai.stage import Stage
from tests.ai.stage_conversation import DONE, invoke
from tests.support.repository import REPOSITORY


def runs_example(*names: str) -> Callable[..., Awaitable[None]]:
    """The test of some programs, named as their files without ``.py``."""

    @pytest.mark.parametrize("name", names)
    async def test_example(name: str, stage: Stage) -> None:
        search = {"name": "search_services", "arguments": {"query": "weather"}}
        model = stage.open_model([[search], [invoke("weather__today", {"city": "Rome"})]])
        try:
            program = [
                sys.executable,
                str(REPOSITORY / "examples" / "python" / f"{name}.py"),
                "How warm is it in Rome?",
            ]
            environment = {
                **os.environ,
                "SVC_BASE_URL": stage.url,
                "SVC_AGENT_API_KEY": stage.api_key,
                "OPENAI_BASE_URL": model.base_url,
                "ANTHROPIC_BASE_URL": model.origin,
                "GOOGLE_GEMINI_BASE_URL": model.origin,
                **dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"), "any"),
            }
            run = await asyncio.to_thread(
                subprocess.run, program, env=environment, capture_output=True, text=True, check=False, timeout=60
            )
        finally:
            seen = stage.close_model(model)
        assert run.stdout == f"{DONE}\n", run.stderr
        assert '\\"celsius\\":21' in seen["requests"][-1] or '"celsius": 21' in seen["requests"][-1]

    return test_example
