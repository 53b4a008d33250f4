/** `svc-service lint`: finds faults that make a toolkit hard to find or risky to use, before its first use. */
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { wholeNumberFrom } from '#sdk/cli/options';
import type { Terminal } from '#sdk/cli/terminal';
import { currencyOption } from './currency';
import type { LintOptions } from './lint/run-lint';

export function addLintCommand(program: Command, terminal: Terminal): void {
  program
    .command('lint')
    .description('Check the actions of a toolkit: how well they can be found and told apart')
    .argument('[program...]', 'what serves the toolkit: a script, or a command behind --')
    .option('--toolkit <id>', 'without a program: of a running service (SVC_BASE_URL, SVC_AGENT_API_KEY); with one: the id it gets')
    .option('--catalogue', 'with a program: among all that a running service offers (SVC_BASE_URL, SVC_AGENT_API_KEY)')
    .option('--golden <file>', 'queries.yaml: queries, and the actions that they should find')
    .option('--k <n>', 'how many results of a golden query count, 1 to 50', wholeNumberFrom(1, 50), 5)
    .option('--min-recall <share>', 'what share of the actions of golden queries must be found, 0 to 1', share, 1)
    .addOption(currencyOption())
    .option('--strict', 'warnings count as errors')
    .addHelpText(
      'after',
      `
The program is started with SVC_BASE_URL and SVC_TOOLKIT_API_KEY of a service
that is gone when lint ends; no handler is called. Exit code 1: errors, warnings
with --strict, or golden queries below --min-recall. For example:
  svc-service lint weather.mjs --golden queries.yaml
  svc-service lint -- python weather.py`,
    )
    .action(async (words: string[], options: LintOptions) => (await import('./lint/run-lint')).runLint(terminal, words, options));
}

function share(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 1)) throw new InvalidArgumentError('Not a number from 0 to 1.');
  return number;
}
