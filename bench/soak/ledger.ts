/**
 * The book of runs: one line `<number>` for each time that a handler began to work on call `<number>`. Toolkit processes only append
 * (O_APPEND, one write per line), and what is written survives the SIGKILL of its writer.
 */
import { openSync, readFileSync, writeSync } from 'node:fs';

export function openLedger(file: string): (callNumber: number) => void {
  const ledger = openSync(file, 'a');
  return (callNumber) => void writeSync(ledger, `${callNumber}\n`);
}

/** How often each call was run. */
export function readLedger(file: string): Map<number, number> {
  const runs = new Map<number, number>();
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    runs.set(Number(line), (runs.get(Number(line)) ?? 0) + 1);
  }
  return runs;
}
