import { formatTable } from '../common/table.ts';
import type { Comparison, RoundSpread } from './comparison.ts';
import type { LoadCase, TargetFigures } from './rounds.ts';

/** Titles of the columns of `cellsOf`. */
export const FIGURE_TITLES = ['target', 'calls/s', 'p50 ms', 'p99 ms', 'CPU µs', 'errors'];

/** Two rows per comparison: the baseline, and the candidate with its ratio. */
export function formatComparisons(comparisons: Comparison[]): string {
  const rows = comparisons.flatMap((comparison) => [
    [`${comparison.payloadBytes} B, c=${comparison.concurrency}`, ...cellsOf(comparison.baseline), '', ''],
    ['', ...cellsOf(comparison.candidate), formatSpread(comparison.throughputRatio), formatSpread(comparison.cpuRatio)],
  ]);
  return formatTable(['case', ...FIGURE_TITLES, 'calls/s ratio [quartiles]', 'CPU ratio [quartiles]'], rows);
}

export function errorLines(comparisons: Comparison[]): string[] {
  return comparisons.flatMap(({ baseline, candidate, ...load }) => errorsOf(load, [baseline, candidate]));
}

/** A line for each. */
export function errorsOf(
  { payloadBytes, concurrency }: Pick<LoadCase, 'payloadBytes' | 'concurrency'>,
  targets: TargetFigures[],
): string[] {
  return targets.flatMap(({ name, errors }) =>
    Object.entries(errors).map(([error, count]) => `${name}, ${payloadBytes} B, c=${concurrency}: ${count} x ${error}`),
  );
}

export function cellsOf({ name, perSecond, p50Ms, p99Ms, cpuMsPerCall, errors }: TargetFigures): string[] {
  const errorCount = Object.values(errors).reduce((sum, count) => sum + count, 0);
  return [
    name,
    perSecond.toFixed(0),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    Number.isNaN(cpuMsPerCall) ? '' : (cpuMsPerCall * 1_000).toFixed(0),
    String(errorCount),
  ];
}

export function formatSpread({ median, lowerQuartile, upperQuartile }: RoundSpread): string {
  return `${median.toFixed(2)} [${lowerQuartile.toFixed(2)}-${upperQuartile.toFixed(2)}]`;
}
