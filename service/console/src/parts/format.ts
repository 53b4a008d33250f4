/**
 * Formats numbers and times for people.
 *
 * Units:  durations in milliseconds, times as ISO 8601 or milliseconds since 1970; shown in the browser's time zone.
 * Source: number and date formats are Intl's, in the language that the console is written in.
 */
import type { Payment } from '#sdk/protocol/http';

const counts = new Intl.NumberFormat('en');
const shortCounts = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const digits3 = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const amounts = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const clockSeconds = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const dayOfYear = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short', day: 'numeric' });

/** `1,234,567` */
export const formatCount = (count: number): string => counts.format(count);

/** `1,234`; a dash where an agent reported none. */
export const formatTokens = (count: number): string => (count === 0 ? '–' : formatCount(count));

/** Labels of one axis, all in the same way: `5,000` beside `7,500`, or `5K` beside `10K`. */
export function formatAxis(heights: readonly number[], exactly: (height: number) => string = formatCount): string[] {
  const isLong = heights.some((height) => height >= 10_000);
  return heights.map((height) => (isLong ? shortCounts.format(height) : exactly(height)));
}

/** `1 call`, `1,234 calls` */
export const formatPlural = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`;

/** `1,234.5 USD`, exactly. An amount is a decimal text of the API. */
export const formatAmount = (amount: string, currency = ''): string => `${amounts.format(amount as `${number}`)} ${currency}`.trimEnd();

/** `up to 0.05 USD a call` */
export const formatPrice = ({ amount, currency }: Payment): string => `up to ${formatAmount(amount, currency)} a call`;

/** `0.4 ms`, `340 ms`, `1.25 s`, `2 min 5 s`, `1 h 30 min` */
export function formatMs(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${digits3.format(ms / 1_000)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return twoUnits(seconds, 60, 'min', 's');
  return twoUnits(Math.round(seconds / 60), 60, 'h', 'min');
}

function twoUnits(value: number, size: number, large: string, small: string): string {
  const rest = value % size;
  return `${formatCount(Math.floor(value / size))} ${large}${rest ? ` ${rest} ${small}` : ''}`;
}

/** `4.2%`; more than nothing is never 0%, less than all is never 100%. A dash for a share of nothing. */
export function formatPercent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 0.1) return '<0.1%';
  if (percent > 99.9 && percent < 100) return '>99.9%';
  return `${percent < 10 || percent > 99 ? Math.round(percent * 10) / 10 : Math.round(percent)}%`;
}

/** Calls in a stretch of time as calls per minute: `0.5`, `12.3`, `1,234`. */
export function formatPerMinute(count: number, seconds: number): string {
  const rate = seconds === 0 ? 0 : (count * 60) / seconds;
  if (rate > 0 && rate < 0.01) return '<0.01';
  if (rate < 10) return digits3.format(Math.round(rate * 100) / 100);
  return counts.format(rate < 100 ? Math.round(rate * 10) / 10 : Math.round(rate));
}

/** `minute`, `5 minutes`, `6 hours`, `day`: the words after "each". */
export function formatStep(seconds: number): string {
  const [size, name] = seconds % 86_400 === 0 ? [86_400, 'day'] : seconds % 3_600 === 0 ? [3_600, 'hour'] : [60, 'minute'];
  return seconds < 60 || seconds % size !== 0 ? formatPlural(seconds, 'second') : seconds === size ? name : `${seconds / size} ${name}s`;
}

/** Units of relative times: `from` is the smallest number of seconds for the unit, `size` its length in seconds. */
const AGO_UNITS: readonly { unit: Intl.RelativeTimeFormatUnit; from: number; size: number }[] = [
  { unit: 'year', from: 730 * 86_400, size: 365.25 * 86_400 },
  { unit: 'month', from: 60 * 86_400, size: 30.44 * 86_400 },
  { unit: 'day', from: 86_400, size: 86_400 },
  { unit: 'hour', from: 3_600, size: 3_600 },
  { unit: 'minute', from: 60, size: 60 },
  { unit: 'second', from: 0, size: 1 },
];

/**
 * `now`, `40 seconds ago`, `yesterday`, `in 7 days`, `13 months ago`
 *
 * @param seconds negative for the past. Less than a minute in the future is now: clocks of browsers and services differ
 */
export function formatAgo(seconds: number): string {
  if (seconds > -5 && seconds < 60) return 'now';
  const [unit, count] = AGO_UNITS.map(({ unit, from, size }, index) => {
    // Round by the next smaller unit, so that 59.7 minutes are an hour and not 60 minutes.
    const finer = AGO_UNITS[index + 1]?.size ?? 1;
    return [unit, Math.round(seconds / size), Math.round(Math.abs(seconds) / finer) * finer >= from] as const;
  }).find(([, , isUsed]) => isUsed) ?? ['second', seconds];
  return relative.format(count, unit);
}

/** `14:05` */
export const formatClock = (at: string | number): string => clock.format(new Date(at));

/** `14:05:09` */
export const formatSeconds = (at: string | number): string => clockSeconds.format(new Date(at));

/** `Aug 3` */
export const formatDay = (at: string | number): string => day.format(new Date(at));

/** `Aug 3, 14:05` */
export const formatTime = (at: string | number): string => `${formatDay(at)}, ${formatClock(at)}`;

/** `Aug 3, 14:05 – 15:20`; with a day at each end if they differ. */
export const formatStretch = (from: string | number, to: string | number): string =>
  `${formatTime(from)} – ${formatDay(from) === formatDay(to) ? formatClock(to) : formatTime(to)}`;

/** `Aug 3, 2026, 14:05:09` */
export const formatFullTime = (at: string | number): string => `${dayOfYear.format(new Date(at))}, ${formatSeconds(at)}`;

/** `2026-08-03T14:05`: the value of a `datetime-local` input. */
export function toLocalTime(at: string | number): string {
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const BYTE_UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `9.8 KiB`, `512 bytes` */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return formatPlural(bytes, 'byte');
  const power = Math.min(BYTE_UNITS.length, Math.floor(Math.log2(bytes) / 10));
  return `${digits3.format(bytes / 1_024 ** power)} ${BYTE_UNITS[power - 1]}`;
}
