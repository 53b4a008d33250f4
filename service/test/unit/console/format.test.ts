import { expect, test } from 'vitest';
import {
  formatAgo,
  formatBytes,
  formatCount,
  formatMs,
  formatPercent,
  formatPerMinute,
  formatPlural,
  formatStep,
  formatStretch,
} from '../../../console/src/parts/format';

test.each([
  [0, '0 ms'],
  [0.42, '0.4 ms'],
  [9.96, '10 ms'],
  [340.4, '340 ms'],
  [999.6, '1 s'],
  [1_249, '1.25 s'],
  [59_949, '59.9 s'],
  [60_000, '1 min'],
  [125_000, '2 min 5 s'],
  [3_600_000, '1 h'],
  [5_400_000, '1 h 30 min'],
])('%d ms are shown as %s', (ms, text) => expect(formatMs(ms)).toBe(text));

test.each([
  [0, 0, '–'],
  [0, 10, '0%'],
  [1, 10_000, '<0.1%'],
  [42, 1_000, '4.2%'],
  [1, 3, '33%'],
  [9_999, 10_000, '>99.9%'],
  [995, 1_000, '99.5%'],
  [10, 10, '100%'],
])('%d of %d are %s', (part, whole, text) => expect(formatPercent(part, whole)).toBe(text));

test.each([
  [0, 3_600, '0'],
  [1, 86_400, '<0.01'],
  [30, 3_600, '0.5'],
  [738, 3_600, '12.3'],
  [74_040, 3_600, '1,234'],
  [5, 0, '0'],
])('%d calls in %d s are %s per minute', (calls, seconds, text) => expect(formatPerMinute(calls, seconds)).toBe(text));

test.each([
  [30, '30 seconds'],
  [60, 'minute'],
  [300, '5 minutes'],
  [3_600, 'hour'],
  [21_600, '6 hours'],
  [86_400, 'day'],
])('a step of %d s is each %s', (seconds, text) => expect(formatStep(seconds)).toBe(text));

test('counts have separators, short ones an order of magnitude, and nouns their number', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567');
  expect([0, 1, 2].map((count) => formatPlural(count, 'call'))).toEqual(['0 calls', '1 call', '2 calls']);
  expect(formatPlural(2, 'process', 'processes')).toBe('2 processes');
  expect([1, 1_024, 10_000, 1_048_576].map(formatBytes)).toEqual(['1 byte', '1 KiB', '9.77 KiB', '1 MiB']);
  expect([2 ** 30, 26.5 * 2 ** 30, 3 * 2 ** 40].map(formatBytes)).toEqual(['1 GiB', '26.5 GiB', '3 TiB']);
});

test('a stretch of time names the day once, unless it ends on another', () => {
  const nine = new Date(2026, 10, 20, 9);
  expect(formatStretch(+nine, +nine + 5_400_000)).toBe('Nov 20, 09:00 – 10:30');
  expect(formatStretch(+nine, +nine + 86_400_000)).toBe('Nov 20, 09:00 – Nov 21, 09:00');
});

test.each([
  [-3, 'now'],
  [5, 'now'],
  [-59.7, '1 minute ago'],
  [-31 * 60, '31 minutes ago'],
  [-59.7 * 60, '1 hour ago'],
  [-20 * 3_600, '20 hours ago'],
  [-86_400, 'yesterday'],
  [7 * 86_400, 'in 7 days'],
  [-400 * 86_400, '13 months ago'],
  [-3 * 365.25 * 86_400, '3 years ago'],
])('%d seconds from now is %s', (seconds, text) => expect(formatAgo(seconds)).toBe(text));
