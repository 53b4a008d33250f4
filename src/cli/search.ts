/** `svc-sdk search`: what a model would find. */
import type { Command } from 'commander';
import { Tools } from 'svc-sdk';
import { wholeNumberFrom } from './options';
import type { Terminal } from './terminal';

export function addSearchCommand(program: Command, terminal: Terminal): void {
  program
    .command('search')
    .description('Find actions, as a model would (SVC_BASE_URL, SVC_AGENT_API_KEY)')
    .argument('<words...>', 'what the action should do')
    .option('--limit <n>', 'how many at most, 1 to 50 (default: 10)', wholeNumberFrom(1, 50))
    .option('--max-tokens <n>', 'how many tokens the answer may take, 100 to 20000 (default: 1200)', wholeNumberFrom(100, 20_000))
    .addHelpText('after', '\nFor example: svc-sdk search weather in a city')
    .action(async (words: string[], options: { limit?: number; maxTokens?: number }) => {
      const found = await new Tools().search(words.join(' '), options);
      terminal.printJson(found);
    });
}
