/** `svc-service dev`: a service for development with a toolkit key, an agent key, snippets to paste, and a line for each call. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { createService, type RuleDefaults, type ToolkitRegistration } from 'svc-service';
import { DEV_FOLDER } from '#sdk/cli/kept-keys';
import { type Parts, styled } from '#sdk/cli/line';
import { notEmpty, portNumber, shellWord } from '#sdk/cli/options';
import type { Terminal } from '#sdk/cli/terminal';
import { DEFAULT_BASE_URL } from '#sdk/protocol/http';
import { allowedOriginOption } from './allowed-origin';
import { consoleWords } from './console';
import { type CurrencyFlags, currencyOf, currencyOption } from './currency';
import { activityLog } from './dev/activity';
import { DEV_BUDGET, type DevKeys, exported, keyExports, makeProjectFolder, projectKeys, temporaryKeys } from './dev/project-keys';
import { countText, findingTexts } from './finding-texts';
import { budgetText } from './key-table';
import { placeWords } from './place';
import { addReviewFlags, type ReviewFlags } from './review-flags';
import { addRuleDefaultFlag, type RuleDefaultFlag } from './rule-default-flag';

interface DevOptions extends ReviewFlags, RuleDefaultFlag, CurrencyFlags {
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
    .option('--data <dir>', `folder for data and keys; "${TEMPORARY}" keeps nothing`, notEmpty(), DEV_FOLDER)
    .addOption(allowedOriginOption())
    .addOption(currencyOption())
    .action((options: DevOptions) => dev(terminal, options));
  addReviewFlags(command);
  addRuleDefaultFlag(command);
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
    ruleDefaults: flags.ruleDefault as RuleDefaults | undefined,
    currency: currencyOf(flags),
    ...(isKept && { data: place }),
    onRegistration: tellChanges(terminal),
    logger: activityLog(terminal),
  });
  const keys = isKept ? await projectKeys(data, service) : await temporaryKeys(service.keys);
  const kept = isKept ? `Data and keys are kept in ${data}` : 'Nothing is kept: keys and data are gone when it stops';
  const { url } = service;
  // Created once: each new link revokes the one before.
  const setupLink = await service.setupLink();
  terminal.showEvent(
    { event: 'ready', url, toolkitKey: keys.toolkit, agentKey: keys.agent, ...(keys.budget && { budget: keys.budget }), setupLink },
    [
      'svc-sdk listens on ',
      styled('bold', url),
      `\n${kept} (Ctrl-C)\n`,
      ...environmentWords(url, keys, isKept ? join(data, 'env') : undefined),
      ...snippet(url, keys),
      `\n${budgetWords(keys, place)}\n`,
      ...consoleWords(setupLink, url),
    ],
  );
  await stopped;
  await service.close();
}

/** Prints the linter's findings of a toolkit once, and again only after a change: a toolkit registers at every reconnect. */
function tellChanges(terminal: Terminal): (registration: ToolkitRegistration) => void {
  const printed = new Map<string, string>();
  return (registration) => {
    const { id } = registration.toolkit;
    const text = [...findingTexts(registration), ...heldTexts(registration)].join('\n\n');
    if (text === (printed.get(id) ?? '')) return;
    printed.set(id, text);
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

/** An older start may have made the key without a budget. */
function budgetWords({ budget, agentId }: DevKeys, place: string): string {
  if (budget)
    return `The agent key may spend ${budgetText(budget)} on actions with a price.
No money moves.`;
  const { perCall, perDay } = DEV_BUDGET;
  return `The agent key has no budget, so it finds no action with a price. To give it one:
npx svc-service keys budget ${agentId} --per-call ${perCall} --per-day ${perDay}${placeWords(place)}`;
}

/** @param file exports the same */
function environmentWords(url: string, keys: DevKeys, file: string | undefined): Parts {
  const lines = [...(url === DEFAULT_BASE_URL ? [] : [exported('SVC_BASE_URL', url)]), ...keyExports(keys)].join('\n');
  const first = styled('bold', 'First, in every other terminal:');
  if (file === undefined) return ['\n', first, '\n\n', styled('cyan', lines), '\n'];
  const source = styled('cyan', `source ${shellWord(file)}`);
  return ['\n', first, '\n\n', source, '\n\nor, which is the same:\n\n', styled('dim', lines), '\n'];
}

/** The steps stand out, and what is to be pasted has its own colour. */
function snippet(url: string, { toolkitId, agent: agentKey }: DevKeys): Parts {
  const steps: [head: string, paste: string][] = [
    [
      `1. In another terminal, serve an action. Save as weather.mjs where svc-sdk is
installed (npm install svc-sdk), and run it with: node weather.mjs`,
      `import { Toolkit } from 'svc-sdk';
const toolkit = new Toolkit(); // SVC_TOOLKIT_API_KEY, SVC_BASE_URL
await toolkit.updateToolkit({ name: 'Weather', description: 'Weather of today, by city' });
toolkit.action(
  {
    action: 'today',
    actionDescription: "Today's weather in a city: temperature in degrees Celsius and a word for the sky",
    payloadDescription: { city: { type: 'string', description: 'Name of the city', required: true } },
    annotations: { readOnly: true },
  },
  (ctx, { city }) => ctx.result({ city, celsius: 21, sky: 'clear' }),
);
await toolkit.run();`,
    ],
    [
      '2. In a third terminal, find and use it as a model would:',
      `npx svc-sdk search weather in a city
npx svc-sdk invoke ${toolkitId}__today '{"city": "Rome"}'
npx svc-service logs`,
    ],
    [
      `3. In your agent, in a terminal with these variables; docs/adapters.md has every
stack:`,
      `import { svcTools } from 'svc-sdk/ai';
const prompt = 'What is the weather in Rome?';
await generateText({ model, prompt, tools: svcTools(), stopWhen: isStepCount(10) });`,
    ],
    [
      '4. Or in an MCP client that connects to a URL:',
      `claude mcp add --transport http svc ${url}/mcp --header "Authorization: Bearer ${agentKey}"`,
    ],
  ];
  return steps.flatMap(([head, paste]) => ['\n', styled('bold', head), '\n\n', styled('cyan', paste), '\n']);
}
