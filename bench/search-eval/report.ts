/** Figures as tables. */
import { formatTable } from '../common/table.ts';
import type { Evaluation } from './evaluate.ts';
import type { Footprint } from './footprint.ts';
import { METRICS } from './metrics.ts';
import type { Interval, Summary } from './summary.ts';

const HEAD = ['nDCG@10', '95 %', 'R@1', 'R@3', 'R@5', 'R@10', 'MRR', 'Hit@1', 'queries'];

export function formatSystems(systems: readonly Evaluation[]): string {
  const rows = systems.map(({ name, pooled, latency, buildMs }) => [
    name,
    ...summaryCells(pooled),
    latency.p50Ms.toFixed(3),
    latency.p99Ms.toFixed(3),
    buildMs.toFixed(0),
  ]);
  return formatTable(['mean over sources', ...HEAD, 'p50 ms', 'p99 ms', 'build ms'], rows);
}

export function formatSources({ name, sources }: Evaluation): string {
  return formatTable(
    [name, ...HEAD],
    Object.entries(sources).map(([src, summary]) => [src, ...summaryCells(summary)]),
  );
}

export function formatFootprint({ build, memory }: Footprint): string {
  return (
    `index of ${build.actions} actions in a process of its own: built in ${build.ms.toFixed(0)} ms, ` +
    `heap ${memory.heapMb.toFixed(1)} MB, peak RSS ${memory.peakRssMb.toFixed(0)} MB`
  );
}

function summaryCells(summary: Summary): string[] {
  const [first, ...others] = METRICS.map((metric) => share(summary[metric]));
  return [first ?? '', interval(summary.intervals.ndcg10), ...others, String(summary.queries)];
}

function interval([from, to]: Interval): string {
  return `${share(from)}-${share(to)}`;
}

export function share(value: number): string {
  return value.toFixed(3);
}
