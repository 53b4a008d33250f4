/** The frameworks that there are adapters for: what vitest, the type tests, the matrix and the table of versions all go by. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Framework {
  /** `svc-sdk/<entry>`. */
  entry: string;
  name: string;
  /** The one whose version counts. */
  package: string;
  /** Workspaces below `test/majors` with older majors of it. */
  majors: string[];
}

export const FRAMEWORKS: Framework[] = [
  { entry: 'ai', name: 'Vercel AI SDK', package: 'ai', majors: ['ai-5', 'ai-6'] },
  { entry: 'langchain', name: 'LangChain, LangGraph', package: '@langchain/core', majors: ['langchain-0.3'] },
  { entry: 'mastra', name: 'Mastra', package: '@mastra/core', majors: [] },
  { entry: 'openai', name: 'OpenAI', package: 'openai', majors: ['openai-5', 'openai-6'] },
  { entry: 'openai-agents', name: 'OpenAI Agents SDK', package: '@openai/agents', majors: [] },
  { entry: 'anthropic', name: 'Anthropic', package: '@anthropic-ai/sdk', majors: [] },
  { entry: 'google', name: 'Google Gen AI', package: '@google/genai', majors: [] },
  { entry: 'llamaindex', name: 'LlamaIndex', package: '@llamaindex/core', majors: [] },
  { entry: 'mcp', name: 'MCP', package: '@modelcontextprotocol/server', majors: [] },
];

/** Every version that is installed, oldest first. */
function versionsOf({ package: name, majors }: Framework): string[] {
  const folders = [...majors.map((major) => `test/majors/${major}/`), ''];
  return folders.map((folder) => JSON.parse(readFileSync(inRoot(`${folder}node_modules/${name}/package.json`), 'utf8')).version);
}

/** Markdown, for README.md and docs/adapters.md. */
export function versionsTable(): string {
  const rows = FRAMEWORKS.map((framework) => {
    const { entry, name, package: packageName } = framework;
    return `| ${name} | \`svc-sdk/${entry}\` | \`${packageName}\` ${versionsOf(framework).join(', ')} |`;
  });
  return ['| framework | entry | tested with |', '| --- | --- | --- |', ...rows].join('\n');
}

function inRoot(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
