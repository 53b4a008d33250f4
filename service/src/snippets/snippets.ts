/**
 * Snippets for newcomers: programs and settings with the address of the service and a key.
 *
 * Source: README.md, docs/adapters/, docs/mcp.md, docs/toolkit.md. `service/test/unit/console/snippets.test.ts` compiles and parses all of them.
 * The Python and Rust snippets are in separate files.
 */
import { claudeCommand, cursorLink, mcpServerOf, vsCodeLink } from './client-links';
import { FRAMEWORK_SNIPPETS } from './framework-snippets';
import { PYTHON_AGENT_SNIPPETS, PYTHON_TOOLKIT_SNIPPETS } from './python-snippets';
import { RUST_AGENT_SNIPPETS, RUST_TOOLKIT_SNIPPETS } from './rust-snippets';
import { json, mcpConfiguration, QUESTION, type Snippet, type SnippetAbout, toTitleCase, weatherCall } from './snippet';

export const TOOLKIT_SNIPPETS: readonly Snippet[] = [
  {
    id: 'paste',
    label: 'Quick start (terminal)',
    sdk: 'typescript',
    language: 'sh',
    note: 'Paste it into a terminal. It creates a folder, installs svc-sdk, writes weather.mjs and runs it. Needs Node 22.13 or newer.',
    code: (url, key, about) => `mkdir -p svc-weather && cd svc-weather
npm init -y > /dev/null && npm install svc-sdk
cat > weather.mjs <<'END'
${weatherToolkit(url, key, about)}END
node weather.mjs`,
  },
  {
    id: 'toolkit',
    label: 'Your own program',
    sdk: 'typescript',
    language: 'ts',
    note: 'TypeScript or JavaScript. Save it as weather.mjs. It connects to the service, so it needs no open port.',
    install: 'npm install svc-sdk',
    code: weatherToolkit,
    run: 'node weather.mjs',
  },
  ...PYTHON_TOOLKIT_SNIPPETS,
  ...RUST_TOOLKIT_SNIPPETS,
];

export const AGENT_SNIPPETS: readonly Snippet[] = [
  {
    id: 'curl',
    label: 'curl',
    language: 'sh',
    note: 'The quickest first call: no installation, no model. The first command searches like a model, the second calls an action.',
    code: (url, key, { example: { query, call } = weatherCall() } = {}) =>
      [
        curl(`${url}/v1/search`, key, { query }),
        ...(call ? [curl(`${url}/v1/invoke`, key, call)] : ['# Then call an action of the answer: POST /v1/invoke {"action", "payload"}']),
      ].join('\n\n'),
  },
  {
    id: 'ai',
    label: 'AI SDK',
    sdk: 'typescript',
    language: 'ts',
    note: 'Vercel AI SDK. Save it as ask.mjs; Set OPENAI_API_KEY to the API key of your model.',
    install: 'npm install svc-sdk ai @ai-sdk/openai-compatible',
    code: (url, key) => `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount } from 'ai';
import { svcTools } from 'svc-sdk/ai';

const provider = createOpenAICompatible({
  name: 'openai',
  baseURL: 'https://api.openai.com/v1',
  apiKey: process.env.OPENAI_API_KEY ?? '',
});

const { text } = await generateText({
  model: provider('gpt-5-mini'),
  tools: svcTools({
    baseUrl: '${url}',
    apiKey: '${key}',
  }),
  stopWhen: isStepCount(20),
  prompt: '${QUESTION}',
});
console.log(text);
`,
    run: 'node ask.mjs',
  },
  {
    id: 'langchain',
    label: 'LangChain',
    sdk: 'typescript',
    language: 'ts',
    note: 'LangChain and LangGraph. Save it as ask.mjs; Set OPENAI_API_KEY to the API key of your model.',
    install: 'npm install svc-sdk @langchain/core langchain @langchain/langgraph @langchain/openai',
    code: (url, key) => `import { createAgent } from 'langchain';
import { svcTools } from 'svc-sdk/langchain';

const agent = createAgent({
  model: 'openai:gpt-5-mini',
  tools: svcTools({
    baseUrl: '${url}',
    apiKey: '${key}',
  }),
});

const { messages } = await agent.invoke({
  messages: [{ role: 'user', content: '${QUESTION}' }],
});
console.log(messages.at(-1)?.text);
`,
    run: 'node ask.mjs',
  },
  {
    id: 'mastra',
    label: 'Mastra',
    sdk: 'typescript',
    language: 'ts',
    note: 'Save it as ask.mjs; Set OPENAI_API_KEY to the API key of your model.',
    install: 'npm install svc-sdk @mastra/core',
    code: (url, key) => `import { Agent } from '@mastra/core/agent';
import { svcTools } from 'svc-sdk/mastra';

const agent = new Agent({
  id: 'assistant',
  name: 'Assistant',
  instructions: 'Answer with the help of your tools.',
  model: 'openai/gpt-5-mini',
  tools: svcTools({
    baseUrl: '${url}',
    apiKey: '${key}',
  }),
});

const { text } = await agent.generate('${QUESTION}', { maxSteps: 20 });
console.log(text);
`,
    run: 'node ask.mjs',
  },
  {
    id: 'openai',
    label: 'OpenAI',
    sdk: 'typescript',
    language: 'ts',
    note: "The plain loop with OpenAI's client, which works with every server of that API. Save it as ask.mts, which Node 22.18 or newer runs directly. Set OPENAI_API_KEY to the API key of your model.",
    install: 'npm install svc-sdk openai',
    code: (url, key) => `import OpenAI from 'openai';
import { Tools } from 'svc-sdk';

const openai = new OpenAI();
const tools = new Tools({
  baseUrl: '${url}',
  apiKey: '${key}',
});
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'user', content: '${QUESTION}' },
];

for (;;) {
  const completion = await openai.chat.completions.create({
    model: 'gpt-5-mini',
    messages,
    tools: await tools.getTools(),
  });
  const message = completion.choices[0]?.message;
  if (!message) break;
  messages.push(message);
  const results = await tools.callTools(message.tool_calls);
  if (results.length === 0) break;
  messages.push(...results);
}
console.log(messages.at(-1)?.content);
`,
    run: 'node ask.mts',
  },
  ...FRAMEWORK_SNIPPETS,
  ...PYTHON_AGENT_SNIPPETS,
  ...RUST_AGENT_SNIPPETS,
  {
    id: 'claude-code',
    label: 'Claude Code',
    language: 'sh',
    note: 'Run it in the folder of your project. Without the header, Claude Code asks you to sign in to this service instead.',
    code: (url, key) => `${claudeCommand(mcpServerOf(url))} --header "Authorization: Bearer ${key}"`,
  },
  {
    id: 'mcp-http',
    label: 'MCP over HTTP',
    language: 'json',
    note: 'For MCP clients that connect to a URL, such as Claude Code (.mcp.json). In VS Code, rename "mcpServers" to "servers". Restart the client afterwards. The links add the service without a key: the editor asks you to sign in.',
    links: (url) => [
      { label: 'Add to Cursor', href: cursorLink(mcpServerOf(url)) },
      { label: 'Add to VS Code', href: vsCodeLink(mcpServerOf(url), 'vscode') },
    ],
    code: (url, key) => json({ mcpServers: { svc: { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } } } }),
  },
  {
    id: 'mcp-stdio',
    label: 'MCP over stdio',
    sdk: 'typescript',
    language: 'json',
    note: 'For MCP clients that start a program: Claude Desktop (claude_desktop_config.json), Cursor (.cursor/mcp.json). Restart the client afterwards.',
    code: (url, key) => mcpConfiguration('npx', ['-y', '-p', 'svc-sdk', 'svc-tools-mcp'], url, key),
  },
];

function weatherToolkit(url: string, key: string, { name = 'weather' }: SnippetAbout = {}): string {
  return `import { Toolkit } from 'svc-sdk';

const toolkit = new Toolkit({
  baseUrl: '${url}',
  apiKey: '${key}',
});

await toolkit.updateToolkit({ name: ${literal(name)}, description: 'Weather of today, by city' });

toolkit.action(
  {
    action: 'today',
    actionDescription: "Today's weather in a city: degrees Celsius and a word for the sky",
    payloadDescription: {
      city: { type: 'string', description: 'Name of the city', required: true },
    },
    annotations: { readOnly: true },
  },
  async (ctx, { city }) => ctx.result({ city, celsius: 21, sky: 'clear' }),
);

await toolkit.run();
`;
}

/** `'Weather'` for the key `weather`, as a literal of JavaScript. */
function literal(name: string): string {
  return `'${JSON.stringify(toTitleCase(name)).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function curl(url: string, key: string, body: unknown): string {
  // The answers have no line break at their end: each of the two is on a line of its own.
  return `curl -s ${url} -w '\\n' \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d ${quoted(body)}`;
}

/** JSON as one quoted word for a shell. */
function quoted(value: unknown): string {
  return `'${JSON.stringify(value).replaceAll("'", "'\\''")}'`;
}
