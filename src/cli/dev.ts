/** `svc-sdk dev`: a throw-away service with a toolkit key, an agent key, and snippets to paste. */
import type { Command } from 'commander';
import { createService, type ToolkitRegistration } from 'svc-sdk/service';
import { allowedOriginOption } from './allowed-origin';
import { consoleWords } from './console';
import { countText, findingTexts } from './finding-texts';
import { portNumber } from './options';
import type { Terminal } from './terminal';

interface DevOptions {
  port: number;
  allowedOrigin?: string[];
}

export function addDevCommand(program: Command, terminal: Terminal): void {
  program
    .command('dev')
    .description('Run a throw-away service with a toolkit key and an agent key, and show how to use them')
    .option('--port <port>', 'port; 0 takes any free one', portNumber, 8787)
    .addOption(allowedOriginOption())
    .action((options: DevOptions) => dev(terminal, options));
}

async function dev(terminal: Terminal, { port, allowedOrigin }: DevOptions): Promise<void> {
  const stopped = terminal.stopped();
  const service = await createService({ port, allowedOrigins: allowedOrigin, console: true, onRegistration: tellChanges(terminal) });
  const toolkit = await service.keys.create({ kind: 'toolkit', name: 'hello' });
  const agent = await service.keys.create({ kind: 'agent', name: 'dev' });
  terminal.print(snippet(service.url, toolkit.key, agent.key));
  terminal.print(await consoleWords(service, {}));
  await stopped;
  await service.close();
}

/** What the linter says of a toolkit, and again only when it says something else: a toolkit registers with every reconnect. */
function tellChanges(terminal: Terminal): (registration: ToolkitRegistration) => void {
  const told = new Map<string, string>();
  return (registration) => {
    const { id } = registration.toolkit;
    const text = findingTexts(registration).join('\n\n');
    if (text === (told.get(id) ?? '')) return;
    told.set(id, text);
    terminal.print(`\nToolkit "${id}" has ${countText(registration)}\n\n${text}`.trimEnd());
  };
}

function snippet(url: string, toolkitKey: string, agentKey: string): string {
  return `svc-sdk listens on ${url}. Nothing is kept: keys and data are gone when it stops (Ctrl-C).

1. In a terminal, serve an action. Save as hello.mjs where svc-sdk is installed (npm install svc-sdk), and run it with: node hello.mjs

import { Toolkit } from 'svc-sdk';
const toolkit = new Toolkit({ baseUrl: '${url}', apiKey: '${toolkitKey}' });
await toolkit.updateToolkit({ description: 'Greetings for people' });
toolkit.action(
  { action: 'greet', actionDescription: 'Greets a person by name', payloadDescription: { name: { type: 'string', required: true } } },
  (ctx, { name }) => ctx.result(\`Hello, \${name}!\`),
);
await toolkit.run();

2. In another terminal, find and use it as a model would:

export SVC_BASE_URL=${url} SVC_AGENT_API_KEY=${agentKey}
npx svc-sdk search greet somebody
npx svc-sdk invoke hello__greet '{"name": "Ada"}'

3. In your agent, with the same two variables; docs/adapters.md has every stack:

import { svcTools } from 'svc-sdk/ai';
await generateText({ model, prompt: 'Greet Ada', tools: svcTools(), stopWhen: isStepCount(10) });

4. Or in an MCP client that connects to a URL:

claude mcp add --transport http svc ${url}/mcp --header "Authorization: Bearer ${agentKey}"
`;
}
