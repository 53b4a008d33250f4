import { formatTable } from '../common/table.ts';
import type { Comparison, TargetFigures } from './comparison.ts';

/** Two rows per comparison: the baseline, and the candidate with its ratio. */
export function formatComparisons(comparisons: Comparison[]): string {
  const rows = comparisons.flatMap((comparison) => [
    [`${comparison.payloadBytes} B, c=${comparison.concurrency}`, ...cellsOf(comparison.baseline), ''],
    ['', ...cellsOf(comparison.candidate), formatRatio(comparison)],
  ]);
  return formatTable(['case', 'target', 'calls/s', 'p50 ms', 'p99 ms', 'errors', 'ratio [quartiles]'], rows);
}

export function errorLines(comparisons: Comparison[]): string[] {
  return comparisons.flatMap(({ baseline, candidate, payloadBytes, concurrency }) =>
    [baseline, candidate].flatMap(({ name, errors }) =>
      Object.entries(errors).map(([error, count]) => `${name}, ${payloadBytes} B, c=${concurrency}: ${count} x ${error}`),
    ),
  );
}

function cellsOf({ name, perSecond, p50Ms, p99Ms, errors }: TargetFigures): string[] {
  const errorCount = Object.values(errors).reduce((sum, count) => sum + count, 0);
  return [name, perSecond.toFixed(0), p50Ms.toFixed(2), p99Ms.toFixed(2), String(errorCount)];
}

function formatRatio({ throughputRatio: { median, lowerQuartile, upperQuartile } }: Comparison): string {
  return `${median.toFixed(2)} [${lowerQuartile.toFixed(2)}-${upperQuartile.toFixed(2)}]`;
}
