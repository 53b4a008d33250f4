/**
 * What a newcomer pastes: programs and settings that already hold the address of the service and a key.
 *
 * Source: README.md, docs/adapters/, docs/mcp.md, docs/toolkit.md. `test/unit/console/snippets.test.ts` compiles and parses all of them.
 */
import { type ExampleCall, weatherCall } from './example-call';

export interface Snippet {
  id: string;
  label: string;
  language: 'ts' | 'json' | 'sh';
  /** Where it goes, in words. */
  note: string;
  install?: string;
  /** @param example what is called, where the text has to name it */
  code: (url: string, key: string, example?: ExampleCall) => string;
  run?: string;
}

const QUESTION = 'What is the weather in Rome?';

export const TOOLKIT_SNIPPETS: readonly Snippet[] = [
  {
    id: 'paste',
    label: 'One paste',
    language: 'sh',
    note: 'Paste it in a terminal: it makes a folder, installs svc-sdk, writes weather.mjs and runs it. Needs Node 22.13 or newer.',
    code: (url, key) => `mkdir -p svc-weather && cd svc-weather
npm init -y > /dev/null && npm install svc-sdk
cat > weather.mjs <<'END'
${weatherToolkit(url, key)}END
node weather.mjs`,
  },
  {
    id: 'toolkit',
    label: 'Your own program',
    language: 'ts',
    note: 'TypeScript or JavaScript. Save it as weather.mjs. It connects to the service by itself; no port has to be open.',
    install: 'npm install svc-sdk',
    code: weatherToolkit,
    run: 'node weather.mjs',
  },
];

export const AGENT_SNIPPETS: readonly Snippet[] = [
  {
    id: 'curl',
    label: 'curl',
    language: 'sh',
    note: 'The quickest first call: nothing to install, no model. The first command searches as a model would, the second calls what it found.',
    code: (url, key, { query, action, payload } = weatherCall()) => `curl -s ${url}/v1/search \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d ${quoted({ query })}

curl -s ${url}/v1/invoke \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d ${quoted({ action, payload })}`,
  },
  {
    id: 'ai',
    label: 'AI SDK',
    language: 'ts',
    note: 'Vercel AI SDK. Save it as ask.mjs; OPENAI_API_KEY holds the key of your model.',
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
    language: 'ts',
    note: 'LangChain and LangGraph. Save it as ask.mjs; OPENAI_API_KEY holds the key of your model.',
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
    language: 'ts',
    note: 'Save it as ask.mjs; OPENAI_API_KEY holds the key of your model.',
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
    language: 'ts',
    note: "The plain loop with OpenAI's client, which speaks to every server with that API. Save it as ask.ts, which Node 22.18 runs as it is. OPENAI_API_KEY holds the key of your model.",
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
    run: 'node ask.ts',
  },
  {
    id: 'mcp-http',
    label: 'MCP, by URL',
    language: 'json',
    note: 'For MCP clients that connect to a URL, such as .mcp.json of Claude Code. VS Code calls mcpServers servers. Restart the client afterwards.',
    code: (url, key) => json({ mcpServers: { svc: { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } } } }),
  },
  {
    id: 'mcp-stdio',
    label: 'MCP, by command',
    language: 'json',
    note: 'For MCP clients that start a program: Claude Desktop (claude_desktop_config.json), Cursor (.cursor/mcp.json). Restart the client afterwards.',
    code: (url, key) =>
      json({
        mcpServers: {
          svc: {
            command: 'npx',
            args: ['-y', '-p', 'svc-sdk', 'svc-tools-mcp'],
            env: { SVC_AGENT_API_KEY: key, SVC_BASE_URL: url },
          },
        },
      }),
  },
];

function weatherToolkit(url: string, key: string): string {
  return `import { Toolkit } from 'svc-sdk';

const toolkit = new Toolkit({
  baseUrl: '${url}',
  apiKey: '${key}',
});

await toolkit.updateToolkit({ name: 'Weather', description: 'Weather of today, by city' });

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

/** JSON as one word of a shell. */
function quoted(value: unknown): string {
  return `'${JSON.stringify(value).replaceAll("'", "'\\''")}'`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
