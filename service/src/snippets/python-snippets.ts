/**
 * Snippets in Python. Those for frameworks are in a separate file.
 *
 * Source: python/README.md. `python/tests/docs/test_console_snippets.py` runs the toolkit and the plain loop.
 */
import { PYTHON_FRAMEWORK_SNIPPETS } from './python-framework-snippets';
import { mcpConfiguration, type Snippet, type SnippetAbout, toTitleCase } from './snippet';

export const PYTHON_TOOLKIT_SNIPPETS: readonly Snippet[] = [
  {
    id: 'paste',
    label: 'Quick start (terminal)',
    sdk: 'python',
    language: 'sh',
    note: 'Paste it into a terminal. It creates a folder, installs svc-sdk, writes weather.py and runs it. Needs Python 3.11 or newer.',
    code: (url, key, about) => `mkdir -p svc-weather && cd svc-weather
python3 -m venv .venv && .venv/bin/pip install --quiet svc-sdk
cat > weather.py <<'END'
${weatherToolkit(url, key, about)}END
.venv/bin/python weather.py`,
  },
  {
    id: 'toolkit',
    label: 'Your own program',
    sdk: 'python',
    language: 'py',
    note: 'Save it as weather.py. It connects to the service, so it needs no open port.',
    install: 'pip install svc-sdk',
    code: weatherToolkit,
    run: 'python weather.py',
  },
];

export const PYTHON_AGENT_SNIPPETS: readonly Snippet[] = [
  ...PYTHON_FRAMEWORK_SNIPPETS,
  {
    id: 'mcp-stdio',
    label: 'MCP over stdio',
    sdk: 'python',
    language: 'json',
    note: 'For MCP clients that start a program: Claude Desktop (claude_desktop_config.json), Cursor (.cursor/mcp.json). It needs uv. Restart the client afterwards.',
    code: (url, key) => mcpConfiguration('uvx', ['--from', 'svc-sdk', 'svc-tools-mcp'], url, key),
  },
];

function weatherToolkit(url: string, key: string, { name = 'weather' }: SnippetAbout = {}): string {
  // A text of JSON is a text of Python too.
  return `import asyncio

from svc import ActionContext, Toolkit

toolkit = Toolkit(
    base_url="${url}",
    api_key="${key}",
)


@toolkit.action(
    action="today",
    action_description="Today's weather in a city: degrees Celsius and a word for the sky",
    payload_description={
        "city": {"type": "string", "description": "Name of the city", "required": True},
    },
    annotations={"readOnly": True},
)
async def today(ctx: ActionContext, payload):
    return ctx.Result({"city": payload["city"], "celsius": 21, "sky": "clear"})


async def main():
    await toolkit.update_toolkit(name=${JSON.stringify(toTitleCase(name))}, description="Weather of today, by city")
    await toolkit.run()


asyncio.run(main())
`;
}
