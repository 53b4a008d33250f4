/** A question to the person at the terminal. */
import { askAtTerminal, isInteractive } from '#sdk/cli/ask-at-terminal';
import type { Terminal } from '#sdk/cli/terminal';
import { UsageError } from '#sdk/cli/usage-error';

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
  return /^y(es)?$/i.test(await askAtTerminal(terminal, `${question} [y/N]`, signal));
}
