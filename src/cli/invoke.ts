/** `svc-sdk invoke`: what a model would get. */
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { SvcError, Tools } from 'svc-sdk';

export function addInvokeCommand(program: Command): void {
  program
    .command('invoke')
    .description('Use an action, as a model would (SVC_BASE_URL, SVC_AGENT_API_KEY)')
    .argument('<action>', 'action id, from search')
    .argument('[payload]', 'JSON object, or - to read it from stdin', '{}')
    .addHelpText(
      'after',
      `\nThe answer goes to stdout as JSON, progress to stderr. For example: svc-sdk invoke weather__today '{"city": "Rome"}'`,
    )
    .action(async (action: string, payload: string) => {
      const onProgress = (progress: unknown) => console.error(JSON.stringify(progress));
      const response = await new Tools().invoke(action, parsePayload(payload === '-' ? await text(process.stdin) : payload), {
        onProgress,
      });
      console.log(JSON.stringify(response, null, 2));
    });
}

function parsePayload(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new SvcError('INVALID_REQUEST', `The payload is not JSON: ${(error as Error).message}`);
  }
}
