/** `svc-sdk invoke`: what a model would get. */
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { Tools } from 'svc-sdk';
import type { Terminal } from './terminal';
import { UsageError } from './usage-error';

export function addInvokeCommand(program: Command, terminal: Terminal): void {
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
      const onProgress = (progress: unknown) => terminal.noteJson(JSON.stringify(progress));
      const response = await new Tools().invoke(action, parsePayload(payload === '-' ? await text(terminal.stdin) : payload), {
        onProgress,
      });
      terminal.printJson(response);
    });
}

function parsePayload(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`The payload is not JSON: ${(error as Error).message}`);
  }
}
