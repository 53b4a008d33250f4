"""Runs the Python snippets of the console unchanged."""

import ast
import json
import re
import subprocess
from pathlib import Path

from tests.docs.stage import Stage, output_of, program, until_found
from tests.support.typescript import from_typescript

_SNIPPETS = "../service/src/snippets/snippets.ts"


def snippets(name: str, key: str, url: str) -> dict[str, str]:
    """The snippets in Python by their id."""
    expression = (
        f"{name}.filter(({{ sdk }}) => sdk === 'python')"
        ".map(({ id, code }) => [id, code(given.url, given.key, { name: given.name })])"
    )
    given = {"url": url, "key": key, "name": 'ada\'s \\ "weather"'}
    return dict(from_typescript(expression, {name: _SNIPPETS}, given))


async def test_the_toolkit_serves_and_the_loop_uses_it(whole_stage: Stage, tmp_path: Path) -> None:
    url = whole_stage.service.url
    toolkit = snippets("TOOLKIT_SNIPPETS", whole_stage.toolkit_key("weather"), url)["toolkit"]
    loop = snippets("AGENT_SNIPPETS", whole_stage.agent_key, url)["openai"]
    model = {"OPENAI_BASE_URL": whole_stage.model_url, "OPENAI_API_KEY": "any"}
    named = re.search(r"name=(.*), description", toolkit)
    assert named
    assert ast.literal_eval(named[1]) == 'Ada\'s \\ "weather"'
    (tmp_path / "weather.py").write_text(toolkit)
    (tmp_path / "ask.py").write_text(loop)
    async with program(tmp_path / "weather.py", environment={}), whole_stage.tools() as tools:
        await until_found(tools, "weather in a city", "weather__today")
        printed = await output_of(tmp_path / "ask.py", environment=model)
    assert printed == "In Rome it is 21 °C, and the sky is clear.\n"


def test_the_quick_start_is_a_script_and_the_mcp_configuration_names_uvx() -> None:
    paste = snippets("TOOLKIT_SNIPPETS", "svc_toolkit_any", "http://127.0.0.1:8787")["paste"]
    subprocess.run(["sh", "-n"], input=paste, text=True, check=True)
    configuration = snippets("AGENT_SNIPPETS", "svc_agent_any", "http://127.0.0.1:8787")["mcp-stdio"]
    assert json.loads(configuration)["mcpServers"]["svc"]["args"] == ["--from", "svc-sdk", "svc-tools-mcp"]
