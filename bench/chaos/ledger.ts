/**
 * The book of runs, one file for each life of a replica process, which only appends: one line before the effect of a run, one after it. A line
 * is on disk before the run continues.
 */
import { fdatasyncSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ActionName } from './actions.ts';

interface BeginLine {
  event: 'begin';
  at: number;
  call: number;
  /** The key that the handler received. */
  key: string;
  invocation: string;
  attempt: number;
  action: ActionName;
}

interface EndLine {
  event: 'end';
  at: number;
  call: number;
  invocation: string;
  token: string;
  failed: boolean;
  /** The amount that the handler of a paid action charges. */
  charged?: string | undefined;
}

export type LedgerLine = BeginLine | EndLine;

/** One time that a handler began to work on a call. */
export interface Run extends Omit<BeginLine, 'event' | 'at'> {
  /** `<replica>.<life>`: which process. */
  life: string;
  /** Milliseconds since the epoch. */
  beganAt: number;
  /** Absent when the process did not get so far. */
  end?: { at: number; token: string; failed: boolean; charged?: string | undefined };
}

const SUFFIX = '.jsonl';

export function ledgerFile(folder: string, life: string): string {
  return join(folder, life + SUFFIX);
}

export function openLedger(file: string): (line: LedgerLine) => void {
  const ledger = openSync(file, 'a');
  return (line) => {
    writeSync(ledger, `${JSON.stringify(line)}\n`);
    fdatasyncSync(ledger);
  };
}

/** Call number -> its runs, in the order in which they began. */
export function readLedgers(folder: string): Map<number, Run[]> {
  const runs = readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .flatMap((name) => readRuns(join(folder, name), name.slice(0, -SUFFIX.length)));
  return Map.groupBy(
    runs.toSorted((a, b) => a.beganAt - b.beganAt),
    ({ call }) => call,
  );
}

function readRuns(file: string, life: string): Run[] {
  const runs: Run[] = [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  for (const line of lines.map((text): LedgerLine => JSON.parse(text))) {
    if (line.event === 'begin') {
      const { event: _, at, ...begun } = line;
      runs.push({ ...begun, life, beganAt: at });
      continue;
    }
    const { at, token, failed, charged } = line;
    const run = runs.findLast(({ invocation, end }) => invocation === line.invocation && !end);
    if (!run) throw new Error(`${file} has the end of ${line.invocation} without its beginning`);
    run.end = { at, token, failed, charged };
  }
  return runs;
}
