import { goalLine } from '../common/goal.ts';
import { formatTable } from '../common/table.ts';
import type { Holding } from './holding.ts';
import type { Recovery } from './recovery.ts';

/** The most of what the bare `ws` server takes in the same run. */
const MAX_OF_BARE = { memory: 2.8, opening: 5.5, beat: 2.1 };
const MAX_BACK_MS = 15_000;
const MAX_P99_MS = 100;

export function formatHoldings(holdings: Holding[]): string {
  const rows = holdings.map((it) => [
    it.name,
    String(it.sockets),
    (it.openMs / 1_000).toFixed(1),
    (it.openCpuMsEach * 1_000).toFixed(0),
    kilobytes(it.rssBytesEach),
    kilobytes(it.heapBytesEach),
    kilobytes(it.staysBytesEach),
    (it.beatCpuMsEach * 1_000).toFixed(0),
  ]);
  return formatTable(['holder', 'sockets', 'open s', 'CPU µs/open', 'RSS kB', 'heap kB', 'stays kB', 'CPU µs/beat'], rows);
}

export function formatRecoveries(recoveries: Recovery[]): string {
  const rows = recoveries.map(({ fault, halfMs, allMs, probe }) => [
    fault,
    (halfMs / 1_000).toFixed(1),
    (allMs / 1_000).toFixed(1),
    String(probe.calls),
    probe.p50Ms.toFixed(1),
    probe.p99Ms.toFixed(1),
    probe.maxMs.toFixed(1),
    Object.entries(probe.failures)
      .map(([reason, count]) => `${count} ${reason}`)
      .join(', ') || '0',
  ]);
  return formatTable(['fault', 'half back s', 'all back s', 'other calls', 'p50 ms', 'p99 ms', 'max ms', 'failed'], rows);
}

/** One line for each goal of the service. */
export function formatGoals({ floor, held, recoveries }: { floor: Holding; held: Holding; recoveries: Recovery[] }): string {
  const ofBare = (what: keyof typeof MAX_OF_BARE, ratio: number, figure: string) =>
    goalLine(ratio <= MAX_OF_BARE[what], `${what}: at most ${MAX_OF_BARE[what]} times that of bare ws: ${ratio.toFixed(2)} (${figure})`);
  return [
    ofBare('memory', held.rssBytesEach / floor.rssBytesEach, `${kilobytes(held.rssBytesEach)} kB`),
    ofBare('opening', held.openCpuMsEach / floor.openCpuMsEach, `${held.openCpuMsEach.toFixed(2)} ms`),
    ofBare('beat', held.beatCpuMsEach / floor.beatCpuMsEach, `${(held.beatCpuMsEach * 1_000).toFixed(0)} µs`),
    ...recoveries.map(({ fault, allMs }) =>
      goalLine(allMs <= MAX_BACK_MS, `${fault}: all back within 15 s: ${(allMs / 1_000).toFixed(1)} s`),
    ),
    ...recoveries
      .filter(({ nodeLives }) => nodeLives)
      .map(({ fault, probe: { p99Ms } }) =>
        goalLine(p99Ms <= MAX_P99_MS, `${fault}: p99 of other calls meanwhile at most ${MAX_P99_MS} ms: ${p99Ms.toFixed(0)} ms`),
      ),
  ].join('\n');
}

function kilobytes(bytes: number): string {
  return (bytes / 1_000).toFixed(1);
}
