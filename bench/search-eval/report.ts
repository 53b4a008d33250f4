/** Figures as tables. */
import { formatTable } from '../common/table.ts';
import type { IndexFigures } from '../retrieval/index-process.ts';
import type { Evaluation } from './evaluate.ts';
import type { LogEffect, LogEffects } from './log-effects.ts';
import { METRICS } from './metrics.ts';
import type { Interval, Summary, SummaryBySource } from './summary.ts';

const HEAD = ['nDCG@10', '95 %', 'R@1', 'R@3', 'R@5', 'R@10', 'MRR', 'Hit@1', 'queries'];

export interface NamedEvaluation extends Evaluation {
  name: string;
  /** Undefined where nothing was built for it. */
  buildMs?: number;
}

export function formatSystems(systems: readonly NamedEvaluation[]): string {
  const rows = systems.map(({ name, pooled, latency, buildMs }) => [
    name,
    ...summaryCells(pooled),
    ...[latency.p50Ms, latency.p99Ms, latency.cpuP50Ms, latency.cpuP99Ms].map((time) => time.toFixed(3)),
    buildMs?.toFixed(0) ?? '',
  ]);
  return formatTable(['mean over sources', ...HEAD, 'p50 ms', 'p99 ms', 'cpu p50', 'cpu p99', 'build ms'], rows);
}

export function formatSources({ name, sources }: NamedEvaluation): string {
  return formatTable(
    [name, ...HEAD],
    Object.entries(sources).map(([src, summary]) => [src, ...summaryCells(summary)]),
  );
}

export function formatEffects({ total, sources, history }: LogEffects): string {
  const row = (name: string, effect: LogEffect) => [
    name,
    share(effect.ndcg10.lexical),
    share(effect.ndcg10.withUsage),
    ...[effect.better, effect.worse, effect.firstChanged, effect.topFiveChanged, effect.queries].map(String),
  ];
  return formatTable(
    ['what the log changes', 'nDCG@10', 'with usage', 'better', 'worse', 'other first', 'other top 5', 'queries'],
    [
      row('all queries', total),
      ...Object.entries(sources).map(([src, effect]) => row(src, effect)),
      ...Object.entries(history).map(([bucket, effect]) => row(`action with ${bucket} logged searches`, effect)),
    ],
  );
}

export function formatDifference(name: string, { pooled, sources }: SummaryBySource): string {
  const cells = (summary: Summary) => [signed(summary.ndcg10), summary.intervals.ndcg10.map(signed).join(' to '), String(summary.queries)];
  const rows = Object.entries(sources).map(([src, summary]) => [src, ...cells(summary)]);
  return formatTable([name, 'nDCG@10', '95 %', 'queries'], [['mean over sources', ...cells(pooled)], ...rows]);
}

export function formatFootprint(build: IndexFigures['build'], memory: IndexFigures['memory']): string {
  return (
    `index of ${build.actions} actions in a process of its own, without usage: built in ${build.ms.toFixed(0)} ms (cpu ${build.cpuMs.toFixed(0)} ms), ` +
    `heap ${memory.heapMb.toFixed(1)} MB, peak RSS ${memory.peakRssMb.toFixed(0)} MB`
  );
}

function summaryCells(summary: Summary): string[] {
  const [first = '', ...others] = METRICS.map((metric) => share(summary[metric]));
  return [first, interval(summary.intervals.ndcg10), ...others, String(summary.queries)];
}

function interval([from, to]: Interval): string {
  return `${share(from)}-${share(to)}`;
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${share(value)}`;
}

function share(value: number): string {
  return value.toFixed(3);
}
