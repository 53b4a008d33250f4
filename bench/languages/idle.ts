/** The memory of an idle toolkit: a process with one connection, and one with many. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Language, titleOf } from '../common/language.ts';
import type { RunningProcess } from '../common/processes.ts';
import { formatTable } from '../common/table.ts';
import type { Stage } from './stage.ts';

/** Time after the last registration, in milliseconds: what a start needs may be freed. */
const SETTLE_MS = 2_000;

export interface IdleFigures {
  language: Language;
  connections: number;
  /** Resident memory of the process. */
  oneKb: number;
  manyKb: number;
}

export async function measureIdle({ languages }: Stage, connections: number): Promise<IdleFigures[]> {
  const figures: IdleFigures[] = [];
  for (const { language, startEcho, environment } of languages) {
    const [oneKb, manyKb] = [await residentKb(startEcho(environment, 1)), await residentKb(startEcho(environment, connections))];
    figures.push({ language, connections, oneKb, manyKb });
  }
  return figures;
}

async function residentKb(toolkit: RunningProcess): Promise<number> {
  await toolkit.ready;
  await sleep(SETTLE_MS);
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${toolkit.pid}/status`, 'utf8')) ?? [];
  await toolkit.stop();
  return Number(kilobytes);
}

export function formatIdle(figures: IdleFigures[]): string {
  const count = figures[0]?.connections ?? 0;
  return formatTable(
    ['an idle toolkit', 'MB with 1 connection', `MB with ${count}`, 'kB for each more'],
    figures.map(({ language, connections, oneKb, manyKb }) => [
      titleOf(language),
      (oneKb / 1_024).toFixed(1),
      (manyKb / 1_024).toFixed(1),
      ((manyKb - oneKb) / (connections - 1)).toFixed(0),
    ]),
  );
}
