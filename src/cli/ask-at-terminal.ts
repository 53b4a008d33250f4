/** A question to the person at the terminal. */
import { createInterface } from 'node:readline/promises';
import { printable } from '../protocol/invisible-text';
import type { Terminal } from './terminal';

export function isInteractive({ stdin }: Terminal): boolean {
  return 'isTTY' in stdin && stdin.isTTY === true;
}

/** The line that the person writes; '' when the input ends. Rejects with an AbortError when the signal aborts. */
export async function askAtTerminal(terminal: Terminal, question: string, signal: AbortSignal): Promise<string> {
  // Raw mode of readline would disable the SIGINT of Ctrl-C.
  const lines = createInterface({ input: terminal.stdin, output: terminal.stderr, terminal: false });
  const ended = new Promise<string>((resolve) => void lines.once('close', () => resolve('')));
  try {
    return (await Promise.race([lines.question(`${printable(question)} `, { signal }), ended])).trim();
  } finally {
    lines.close();
  }
}
