/** `svc-sdk search`: what a model would find. */
import type { Command } from 'commander';
import { type SearchResponse, Tools } from 'svc-sdk';
import type { Payment } from '../protocol/http';
import { table } from './columns';
import { serviceOptions } from './environment';
import { oneLine } from './line';
import { wholeNumberFrom } from './options';
import type { Terminal } from './terminal';
import { firstLine } from './text-width';

const HEAD = ['id', 'price', 'description'];
/** More than a line of any window. */
const MOST_COLUMNS = 400;

export function addSearchCommand(program: Command, terminal: Terminal): void {
  program
    .command('search')
    .description('Find actions, as a model would (SVC_BASE_URL, SVC_AGENT_API_KEY)')
    .argument('<words...>', 'what the action should do')
    .option('--limit <n>', 'how many at most, 1 to 50 (default: 10)', wholeNumberFrom(1, 50))
    .option('--max-tokens <n>', 'how many tokens the answer may take, 100 to 20000 (default: 1200)', wholeNumberFrom(100, 20_000))
    .addHelpText(
      'after',
      `
A list on a terminal; JSON, with schemas, in a pipe or with --json.
For example: svc-sdk search weather in a city`,
    )
    .action(async (words: string[], options: { limit?: number; maxTokens?: number }) => {
      const found = await new Tools(serviceOptions()).search(words.join(' '), options);
      if (terminal.isRead) showFound(terminal, found);
      else terminal.printJson(found);
    });
}

/** One line each; an action that did not fit in full has no price here. */
function showFound(terminal: Terminal, { actions, more = [], offline = [], hint }: SearchResponse): void {
  const rows = [
    ...actions.map(({ action, payment, description }) => [action, priceText(payment), firstLine(description, MOST_COLUMNS)]),
    ...more.map(({ action, description = '' }) => [action, '', firstLine(description, MOST_COLUMNS)]),
  ];
  if (rows.length > 0) terminal.print(table([HEAD, ...rows], { width: terminal.columns, cut: [2] }));
  else terminal.note('No action that is online fits');
  if (offline.length > 0) terminal.note(oneLine(`Offline now: ${offline.join(', ')}`));
  if (hint !== undefined) terminal.note(oneLine(hint));
}

function priceText(payment: Payment | undefined): string {
  return payment ? `${payment.amount} ${payment.currency}` : 'free';
}
