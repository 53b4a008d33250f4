/** `svc-sdk search`: what a model would find. */
import type { Command } from 'commander';
import { Tools } from 'svc-sdk';
import { wholeNumber } from './options';

export function addSearchCommand(program: Command): void {
  program
    .command('search')
    .description('Find actions, as a model would (SVC_BASE_URL, SVC_AGENT_API_KEY)')
    .argument('<words...>', 'what the action should do')
    .option('--limit <n>', 'how many at most (default: 5)', wholeNumber)
    .addHelpText('after', '\nFor example: svc-sdk search weather in a city')
    .action(async (words: string[], { limit }: { limit?: number }) => {
      const found = await new Tools().search(words.join(' '), limit === undefined ? {} : { limit });
      console.log(JSON.stringify(found, null, 2));
    });
}
