/** The charts of calls and latency: one description for the plot, its legend, its summary and its table. */
import type { CallCounts } from '#sdk/protocol/admin';
import { formatAxis, formatCount, formatMs, formatPercent, formatPlural, formatStep, formatTime } from './format';

/** Values at steps of equal length, and their total. */
export interface Series<Values> {
  from: string;
  to: string;
  stepSeconds: number;
  total: Values;
  points: readonly (Values & { at: string })[];
}

export interface SeriesLine<Values> {
  label: string;
  /** Each colour has a contrast of at least 3:1 against the surface, in the light and the dark scheme. */
  color: { light: string; dark: string };
  /** The height of the line or bar; undefined for a gap. A later bar is drawn over the earlier ones. */
  height: (values: Values) => number | undefined;
  text: (values: Values) => string;
}

export interface SeriesKind<Values> {
  shape: 'bars' | 'lines';
  lines: readonly SeriesLine<Values>[];
  /** The labels of the heights at the axis. */
  formatHeights: (heights: readonly number[]) => string[];
  /** The axis has equal steps from 1 to 10 and from 10 to 100, so that one outage leaves the rest readable. Heights are above 0. */
  isLogarithmic: boolean;
  /** Heights have no fractions. */
  isWhole: boolean;
  /** Points are days, so the axis shows no times of the day. */
  isDaily: boolean;
  /** The time of a point. */
  formatAt: (at: string) => string;
  /** The chart in a sentence, for screen readers. */
  summaryOf: (series: Series<Values>) => string;
  tableLabel: string;
  /** The table leaves out empty points. */
  isEmpty: (values: Values) => boolean;
  noPoints: string;
}

export const SERIES_COLORS = {
  teal: { light: '#149480', dark: '#28a794' },
  red: { light: '#d6336c', dark: '#f06595' },
  blue: { light: '#1c7ed6', dark: '#4dabf7' },
  orange: { light: '#d9480f', dark: '#ff922b' },
};

const ofCalls = {
  isDaily: false,
  formatAt: formatTime,
  isEmpty: ({ calls }: CallCounts) => calls === 0,
  noPoints: 'No calls in this time.',
};

const spanOf = ({ from, to, stepSeconds }: Series<CallCounts>): string =>
  `from ${formatTime(from)} to ${formatTime(to)}, one point each ${formatStep(stepSeconds)}`;

/** Errors are drawn over calls: the rest of the bar are the successful calls. */
export const CALLS_SERIES: SeriesKind<CallCounts> = {
  ...ofCalls,
  shape: 'bars',
  lines: [
    { label: 'Calls', color: SERIES_COLORS.teal, height: ({ calls }) => calls, text: ({ calls }) => formatCount(calls) },
    { label: 'Errors', color: SERIES_COLORS.red, height: ({ errors }) => errors, text: ({ errors }) => formatCount(errors) },
  ],
  formatHeights: (heights) => formatAxis(heights),
  isLogarithmic: false,
  isWhole: true,
  summaryOf(series) {
    const { total, points } = series;
    if (total.calls === 0) return `No calls ${spanOf(series)}.`;
    const peak = points.reduce((most, point) => (point.calls > most.calls ? point : most));
    const errors = `${formatPlural(total.errors, 'error')} (${formatPercent(total.errors, total.calls)})`;
    return `${formatPlural(total.calls, 'call')} with ${errors} ${spanOf(series)}. Most at ${formatTime(peak.at)}: ${formatCount(peak.calls)}.`;
  },
  tableLabel: 'Calls and errors over time',
};

/** Durations are measured to the tenth. */
const LEAST_MS = 0.1;

function percentile(name: 'p50' | 'p95' | 'p99', color: SeriesLine<CallCounts>['color']): SeriesLine<CallCounts> {
  const height = (counts: CallCounts) => counts[`${name}Ms`];
  // A logarithm of 0 has no place on the axis.
  const shown = (counts: CallCounts) => {
    const ms = height(counts);
    return ms === undefined ? undefined : Math.max(ms, LEAST_MS);
  };
  const text = (counts: CallCounts) => {
    const ms = height(counts);
    return ms === undefined ? '–' : formatMs(ms);
  };
  return { label: name, color, height: shown, text };
}

export const LATENCY_SERIES: SeriesKind<CallCounts> = {
  ...ofCalls,
  shape: 'lines',
  lines: [percentile('p50', SERIES_COLORS.teal), percentile('p95', SERIES_COLORS.blue), percentile('p99', SERIES_COLORS.orange)],
  formatHeights: (heights) => heights.map(formatMs),
  isLogarithmic: true,
  isWhole: false,
  summaryOf(series) {
    const { total, points } = series;
    if (total.calls === 0) return `No calls ${spanOf(series)}.`;
    const slowest = points.reduce((most, point) => ((point.p95Ms ?? -1) > (most.p95Ms ?? -1) ? point : most));
    const all = LATENCY_SERIES.lines.map(({ label, text }) => `${label} ${text(total)}`).join(', ');
    const worst = slowest.p95Ms === undefined ? '' : ` Highest p95 at ${formatTime(slowest.at)}: ${formatMs(slowest.p95Ms)}.`;
    return `How long calls took ${spanOf(series)}: ${all}.${worst}`;
  },
  tableLabel: 'Latency over time',
};
