/** The frameworks that there are adapters for: what vitest, the type tests, the matrix and the table of versions all go by. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Framework {
  /** `svc-sdk/<entry>`. */
  entry: string;
  name: string;
  /** The one whose version counts. */
  package: string;
  /** Another whose version matters. */
  beside?: string;
  /** Its own pause for a human, in the words of the table. Absent: it has none. */
  pause?: string;
  /** The version that ran the contract by hand: the package is too large to be installed here. */
  byHand?: string;
  /** Workspaces below `test/majors` with older majors of it. */
  majors: string[];
}

export const FRAMEWORKS: Framework[] = [
  {
    entry: 'ai',
    name: 'Vercel AI SDK',
    package: 'ai',
    pause: 'a `tool-approval-request` part (6 and 7; 5 has no pause)',
    majors: ['ai-5', 'ai-6'],
  },
  {
    entry: 'langchain',
    name: 'LangChain, LangGraph',
    package: '@langchain/core',
    beside: '@langchain/langgraph',
    pause: '`interrupt()` in a graph with a checkpointer',
    majors: ['langchain-0.3'],
  },
  { entry: 'mastra', name: 'Mastra', package: '@mastra/core', pause: 'a suspended run', majors: [] },
  { entry: 'openai', name: 'OpenAI', package: 'openai', majors: ['openai-5', 'openai-6'] },
  {
    entry: 'openai-agents',
    name: 'OpenAI Agents SDK',
    package: '@openai/agents',
    pause: 'an item of `interruptions`',
    majors: [],
  },
  { entry: 'anthropic', name: 'Anthropic', package: '@anthropic-ai/sdk', majors: [] },
  { entry: 'google', name: 'Google Gen AI', package: '@google/genai', majors: [] },
  {
    entry: 'google-adk',
    name: 'Google ADK',
    package: '@google/adk',
    pause: 'a call of `adk_request_confirmation`',
    majors: [],
  },
  { entry: 'llamaindex', name: 'LlamaIndex', package: '@llamaindex/core', majors: [] },
  {
    entry: 'strands',
    name: 'Strands Agents',
    package: '@strands-agents/sdk',
    pause: 'an item of `interrupts`',
    majors: [],
  },
  {
    entry: 'voltagent',
    name: 'VoltAgent',
    package: '@voltagent/core',
    byHand: '2.10.0',
    pause: 'a `tool-approval-request` part',
    majors: [],
  },
  { entry: 'mcp', name: 'MCP', package: '@modelcontextprotocol/server', majors: [] },
];

/** Every version that is installed, oldest first. */
function versionsOf(name: string, majors: string[]): string {
  const folders = [...majors.map((major) => `test/majors/${major}/`), ''];
  const versions = folders.map((folder) => JSON.parse(readFileSync(inRoot(`${folder}node_modules/${name}/package.json`), 'utf8')).version);
  return `\`${name}\` ${versions.join(', ')}`;
}

/** Markdown, for docs/adapters.md. */
export function versionsTable(): string {
  const rows = FRAMEWORKS.map(({ entry, name, package: main, beside, byHand, majors }) => {
    const versions = byHand
      ? [`\`${main}\` ${byHand}, by hand`]
      : [main, beside ?? []].flat().map((packageName) => versionsOf(packageName, majors));
    return `| ${name} | \`svc-sdk/${entry}\` | ${versions.join('; ')} |`;
  });
  return ['| framework | entry | tested with |', '| --- | --- | --- |', ...rows].join('\n');
}

const REPORTED = 'the model reads `APPROVAL_REQUIRED` with the handle';

/** The table of calls that wait, for each stack. Markdown, for docs/adapters.md; test/contract/adapter.ts checks each cell. MCP has its own rows. */
export function waitsTable(): string {
  const rows = FRAMEWORKS.filter(({ entry }) => entry !== 'mcp').map(({ name, pause }) => {
    const asked = pause ? `${pause}; its answer decides the row` : REPORTED;
    return `| ${name} | ${asked} | ${REPORTED} | holds the call | the model reads the handle |`;
  });
  const head = '| stack | your app decides | people decide | people decide, `approvals: "wait"` | a long action |';
  return [head, '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

function inRoot(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
