/** The lines of the charts of calls and latency: one description for the plot, its legend, its summary and its table. */
import type { CallCounts, StatsSeries } from '../../../src/protocol/admin';
import { formatCount, formatMs, formatPercent, formatPlural, formatStep, formatTime } from './format';

export type SeriesShown = 'calls' | 'latency';

export interface SeriesLine {
  label: string;
  /** Each colour has a contrast of at least 3:1 against the surface, in the light and the dark scheme. */
  color: { light: string; dark: string };
  value: (counts: CallCounts) => number | undefined;
}

const TEAL = { light: '#149480', dark: '#28a794' };
const RED = { light: '#d6336c', dark: '#f06595' };
const BLUE = { light: '#1c7ed6', dark: '#4dabf7' };
const ORANGE = { light: '#d9480f', dark: '#ff922b' };

/** Errors are drawn over calls: the rest of the bar are the successful calls. */
const CALLS: readonly SeriesLine[] = [
  { label: 'Calls', color: TEAL, value: ({ calls }) => calls },
  { label: 'Errors', color: RED, value: ({ errors }) => errors },
];

const LATENCY: readonly SeriesLine[] = [
  { label: 'p50', color: TEAL, value: ({ p50Ms }) => p50Ms },
  { label: 'p95', color: BLUE, value: ({ p95Ms }) => p95Ms },
  { label: 'p99', color: ORANGE, value: ({ p99Ms }) => p99Ms },
];

export const linesOf = (show: SeriesShown): readonly SeriesLine[] => (show === 'calls' ? CALLS : LATENCY);

/** A dash for a missing value. */
export const formatValue = (show: SeriesShown, value: number | undefined): string =>
  value === undefined ? '–' : show === 'calls' ? formatCount(value) : formatMs(value);

/** The chart in a sentence, for screen readers. */
export function summaryOf(show: SeriesShown, { from, to, stepSeconds, total, points }: StatsSeries): string {
  const span = `from ${formatTime(from)} to ${formatTime(to)}, one point each ${formatStep(stepSeconds)}`;
  if (total.calls === 0) return `No calls ${span}.`;
  if (show === 'calls') {
    const peak = points.reduce((most, point) => (point.calls > most.calls ? point : most));
    const errors = `${formatPlural(total.errors, 'error')} (${formatPercent(total.errors, total.calls)})`;
    return `${formatPlural(total.calls, 'call')} with ${errors} ${span}. Most at ${formatTime(peak.at)}: ${formatCount(peak.calls)}.`;
  }
  const slowest = points.reduce((most, point) => ((point.p95Ms ?? -1) > (most.p95Ms ?? -1) ? point : most));
  const all = LATENCY.map(({ label, value }) => `${label} ${formatValue(show, value(total))}`).join(', ');
  const worst = slowest.p95Ms === undefined ? '' : ` Highest p95 at ${formatTime(slowest.at)}: ${formatMs(slowest.p95Ms)}.`;
  return `How long calls took ${span}: ${all}.${worst}`;
}
