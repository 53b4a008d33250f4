/**
 * Snippets in TypeScript for frameworks and for the agent in chats.
 *
 * Source: docs/adapters/ and docs/agent.md. `service/test/unit/console/snippets.test.ts` compiles all of them.
 */
import { QUESTION, type Snippet } from './snippet';

const options = (url: string, key: string) => `{
  baseUrl: '${url}',
  apiKey: '${key}',
}`;

const withModel = (name: string) => `Save it as ask.mjs; Set ${name} to the API key of your model.`;

export const FRAMEWORK_SNIPPETS: readonly Snippet[] = [
  {
    id: 'anthropic',
    label: 'Anthropic',
    sdk: 'typescript',
    language: 'ts',
    note: withModel('ANTHROPIC_API_KEY'),
    install: 'npm install svc-sdk @anthropic-ai/sdk',
    code: (url, key) => `import Anthropic from '@anthropic-ai/sdk';
import { svcTools } from 'svc-sdk/anthropic';

const tools = svcTools(${options(url, key)});
const client = new Anthropic();
const { content } = await client.beta.messages.toolRunner({
  model: 'claude-sonnet-5-5',
  max_tokens: 4_096,
  messages: [{ role: 'user', content: '${QUESTION}' }],
  tools,
  thread: false,
});
for (const block of content) if (block.type === 'text') console.log(block.text);
`,
    run: 'node ask.mjs',
  },
  {
    id: 'openai-agents',
    label: 'OpenAI Agents',
    sdk: 'typescript',
    language: 'ts',
    note: withModel('OPENAI_API_KEY'),
    install: 'npm install svc-sdk @openai/agents',
    code: (url, key) => `import { Agent, run } from '@openai/agents';
import { svcTools } from 'svc-sdk/openai-agents';

const tools = svcTools(${options(url, key)});
const agent = new Agent({ name: 'Assistant', instructions: 'Answer with the help of your tools.', tools });
const { finalOutput } = await run(agent, '${QUESTION}', {
  maxTurns: 20,
  toolNotFoundBehavior: 'return_error_to_model',
});
console.log(finalOutput);
`,
    run: 'node ask.mjs',
  },
  {
    id: 'google',
    label: 'Google Gen AI',
    sdk: 'typescript',
    language: 'ts',
    note: withModel('GEMINI_API_KEY'),
    install: 'npm install svc-sdk @google/genai',
    code: (url, key) => `import { GoogleGenAI } from '@google/genai';
import { svcTools } from 'svc-sdk/google';

const tools = svcTools(${options(url, key)});
const ai = new GoogleGenAI({});
const { text } = await ai.models.generateContent({
  model: 'gemini-3.8-flash',
  contents: '${QUESTION}',
  config: { tools: [tools] },
});
console.log(text);
`,
    run: 'node ask.mjs',
  },
  {
    id: 'llamaindex',
    label: 'LlamaIndex',
    sdk: 'typescript',
    language: 'ts',
    note: withModel('OPENAI_API_KEY'),
    install: 'npm install svc-sdk @llamaindex/workflow @llamaindex/core @llamaindex/openai',
    code: (url, key) => `import { openai } from '@llamaindex/openai';
import { agent } from '@llamaindex/workflow';
import { svcTools } from 'svc-sdk/llamaindex';

const tools = svcTools(${options(url, key)});
const llm = openai({ model: 'gpt-5-mini' });
const { data } = await agent({ llm, tools }).run('${QUESTION}');
console.log(data.result);
`,
    run: 'node ask.mjs',
  },
  {
    id: 'strands',
    label: 'Strands Agents',
    sdk: 'typescript',
    language: 'ts',
    note: withModel('OPENAI_API_KEY'),
    install: 'npm install svc-sdk @strands-agents/sdk openai@6',
    code: (url, key) => `import { Agent } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { svcTools } from 'svc-sdk/strands';

const tools = svcTools(${options(url, key)});
const agent = new Agent({ model: new OpenAIModel({ modelId: 'gpt-5-mini' }), tools, printer: false });
console.log(String(await agent.invoke('${QUESTION}')));
`,
    run: 'node ask.mjs',
  },
  {
    id: 'google-adk',
    label: 'Google ADK',
    sdk: 'typescript',
    language: 'ts',
    note: withModel('GEMINI_API_KEY'),
    install: 'npm install svc-sdk @google/adk',
    code: (url, key) => `import { InMemoryRunner, LlmAgent } from '@google/adk';
import { svcTools } from 'svc-sdk/google-adk';

const tools = svcTools(${options(url, key)});
const agent = new LlmAgent({ name: 'assistant', model: 'gemini-3.8-flash', tools });
const newMessage = { role: 'user', parts: [{ text: '${QUESTION}' }] };
for await (const { content } of new InMemoryRunner({ agent }).runEphemeral({ userId: 'me', newMessage })) {
  for (const { text } of content?.parts ?? []) if (text) console.log(text);
}
`,
    run: 'node ask.mjs',
  },
  {
    id: 'agent',
    label: 'Agent in a chat',
    sdk: 'typescript',
    language: 'ts',
    note: 'Answers people in Telegram; Discord and X work the same way. Save it as agent.mjs; Set OPENAI_API_KEY and TELEGRAM_BOT_TOKEN.',
    install: 'npm install svc-sdk grammy @grammyjs/auto-retry',
    code: (url, key) => `import { Agent } from 'svc-sdk/agent';
import { TelegramClient } from 'svc-sdk/agent/telegram';

const telegram = new TelegramClient({ botToken: process.env.TELEGRAM_BOT_TOKEN ?? '' });
const agent = new Agent({
  clients: [telegram],
  baseUrl: '${url}',
  apiKey: '${key}',
});
agent.setModel('default', 'openai/gpt-5-mini'); // OPENAI_API_KEY
agent.setPrompt('system', \`\${agent.getPrompt('system')}\\nYou help the customers of a tea shop.\`);
await agent.run(); // until agent.stop(), SIGINT or SIGTERM
`,
    run: 'node agent.mjs',
  },
];
