/** A question to the person at the terminal. */
import { createInterface } from 'node:readline/promises';
import type { Terminal } from '#sdk/cli/terminal';
import { UsageError } from '#sdk/cli/usage-error';
import { printable } from '#sdk/protocol/invisible-text';

/**
 * Call it before any other work: a pipe and --json have no prompt. Throws UsageError.
 *
 * @param look the command that shows the changes to approve
 */
export function checkCanAsk(terminal: Terminal, { yes, look }: { yes: true | undefined; look: string }): void {
  if (yes || (isInteractive(terminal) && !terminal.json)) return;
  throw new UsageError(`The command needs a terminal to ask for the approval: look with ${look}, then approve with --yes`);
}

/** True for `y` and `yes`. Rejects with an AbortError when the signal aborts. */
export async function confirm(terminal: Terminal, question: string, signal: AbortSignal): Promise<boolean> {
  // Raw mode of readline would disable the SIGINT of Ctrl-C.
  const lines = createInterface({ input: terminal.stdin, output: terminal.stderr, terminal: false });
  const ended = new Promise<string>((resolve) => void lines.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([lines.question(`${printable(question)} [y/N] `, { signal }), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

function isInteractive({ stdin }: Terminal): boolean {
  return 'isTTY' in stdin && stdin.isTTY === true;
}
