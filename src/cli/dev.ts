/** `svc-sdk dev`: a service for development with a toolkit key, an agent key, snippets to paste, and a line for each call. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { createService, type ToolkitRegistration } from 'svc-sdk/service';
import { allowedOriginOption } from './allowed-origin';
import { consoleWords } from './console';
import { type CurrencyFlags, currencyOf, currencyOption } from './currency';
import { activityLog } from './dev/activity';
import { DEV_BUDGET, type DevKeys, makeProjectFolder, projectKeys, temporaryKeys } from './dev/project-keys';
import { countText, findingTexts } from './finding-texts';
import { budgetText } from './key-table';
import { notEmpty, portNumber } from './options';
import { placeWords } from './place';
import { addReviewFlags, type ReviewFlags } from './review-flags';
import type { Terminal } from './terminal';

interface DevOptions extends ReviewFlags, CurrencyFlags {
  port: number;
  allowedOrigin?: string[];
  data: string;
}

const TEMPORARY = 'temporary';

export function addDevCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('dev')
    .description('Run a service for development, with a toolkit key and an agent key, and show how to use them and every call')
    .option('--port <port>', 'port; 0 takes any free one', portNumber, 8787)
    .option('--data <dir>', `folder for data and keys; "${TEMPORARY}" keeps nothing`, notEmpty(), '.svc')
    .addOption(allowedOriginOption())
    .addOption(currencyOption())
    .action((options: DevOptions) => dev(terminal, options));
  addReviewFlags(command);
}

async function dev(terminal: Terminal, { port, data, allowedOrigin, newActions, changedActions, ...flags }: DevOptions): Promise<void> {
  const stopped = terminal.unread();
  const isKept = data !== TEMPORARY;
  const place = join(data, 'data');
  if (isKept) makeProjectFolder(data);
  const service = await createService({
    port,
    console: true,
    allowedOrigins: allowedOrigin,
    newActions,
    changedActions,
    currency: currencyOf(flags),
    ...(isKept && { data: place }),
    onRegistration: tellChanges(terminal),
    logger: activityLog(terminal),
  });
  const keys = isKept ? await projectKeys(data, service.keys) : await temporaryKeys(service.keys);
  const kept = isKept ? `Data and keys are kept in ${data}` : 'Nothing is kept: keys and data are gone when it stops';
  const { url } = service;
  // Asked for once: each new link ends the one before.
  const setupLink = await service.setupLink();
  terminal.showEvent(
    { event: 'ready', url, toolkitKey: keys.toolkit, agentKey: keys.agent, ...(keys.budget && { budget: keys.budget }), setupLink },
    `svc-sdk listens on ${url}. ${kept} (Ctrl-C).\n${snippet(url, keys)}\n${budgetWords(keys, place)}\n${consoleWords(setupLink, url)}`,
  );
  await stopped;
  await service.close();
}

/** Prints the linter's findings of a toolkit once, and again only when they change: a toolkit registers with every reconnect. */
function tellChanges(terminal: Terminal): (registration: ToolkitRegistration) => void {
  const told = new Map<string, string>();
  return (registration) => {
    const { id } = registration.toolkit;
    const text = [...findingTexts(registration), ...heldTexts(registration)].join('\n\n');
    if (text === (told.get(id) ?? '')) return;
    told.set(id, text);
    const { rejected, findings, held } = registration;
    terminal.showEvent(
      { event: 'findings', toolkit: id, rejected, findings, ...(held.length > 0 && { held }) },
      `\nToolkit "${id}" has ${countText(registration)}\n\n${text}`.trimEnd(),
    );
  };
}

function heldTexts({ held }: ToolkitRegistration): string[] {
  if (held.length === 0) return [];
  return [
    `Agents cannot use these before an approval, in the console or with "svc-sdk actions approve <id…>":\n    ${held.join('\n    ')}`,
  ];
}

/** A key of an older start may have no budget. */
function budgetWords({ budget, agentId }: DevKeys, place: string): string {
  if (budget) return `The agent key may spend ${budgetText(budget)} on actions with a price. No money moves.`;
  const { perCall, perDay } = DEV_BUDGET;
  return `The agent key has no budget, so it finds no action with a price. To give it one:
npx svc-sdk keys budget ${agentId} --per-call ${perCall} --per-day ${perDay}${placeWords(place)}`;
}

function snippet(url: string, { toolkit: toolkitKey, agent: agentKey }: DevKeys): string {
  return `
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
