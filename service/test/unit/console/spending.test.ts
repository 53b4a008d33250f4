import { expect, test } from 'vitest';
import type { Spending } from '#sdk/protocol/admin';
import { ledgerFilePath } from '../../../console/src/api/spending';
import { daysBetween, localDay, rangeOfDay, startOfDays } from '../../../console/src/api/utc-days';
import { sortSpending } from '../../../console/src/pages/spending/sort-spending';
import { spendingSearch } from '../../../console/src/pages/spending/spending-search';
import { seriesOfDays, spendingSeries } from '../../../console/src/pages/spending/spending-series';
import { formatDay } from '../../../console/src/parts/format';

const NOW = Date.parse('2026-11-23T23:59:59.999Z');

const item = (id: string, charged: string, rest: Partial<Spending['items'][number]> = {}) => ({
  id,
  calls: 1,
  charged,
  held: '0',
  ...rest,
});

test('ranges begin with a UTC day, today included', () => {
  expect(startOfDays(1, NOW)).toBe('2026-11-23T00:00:00.000Z');
  expect(startOfDays(1, NOW + 1)).toBe('2026-11-24T00:00:00.000Z');
  expect(startOfDays(30, NOW)).toBe('2026-10-25T00:00:00.000Z');
  expect(rangeOfDay('2026-02-28')).toEqual({ from: '2026-02-28T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' });
  expect(daysBetween('2026-02-27T00:00:00.000Z', '2026-03-01T00:00:00.001Z')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  // The result is the same in every time zone.
  expect(formatDay(localDay('2026-11-23'))).toBe('Nov 23');
});

test('the chart has a bar for each day, also for those without a paid call', () => {
  const series = seriesOfDays({
    from: '2026-11-21T00:00:00.000Z',
    to: '2026-11-23T12:00:00.000Z',
    currency: 'USD',
    total: { calls: 2, charged: '0.3', held: '0.1' },
    items: [item('2026-11-21', '0.1'), item('2026-11-23', '0.2', { held: '0.1' })],
  });
  const kind = spendingSeries('USD');
  expect(series.points.map((point) => kind.lines.map(({ height }) => height(point)))).toEqual([
    [0.1, 0.1],
    [0, 0],
    [0.3, 0.2],
  ]);
  expect(kind.summaryOf(series)).toBe('0.3 USD charged and 0.1 USD held for 2 paid calls in 3 UTC days. Most on Nov 23: 0.2 USD.');
  expect(kind.summaryOf({ ...series, total: { calls: 0, charged: '0', held: '0' } })).toBe('No paid calls in 3 UTC days.');
});

test('rows are sorted by amounts, not by their texts, and exactly', () => {
  const items = [item('a', '9'), item('b', '100000000000.000001'), item('c', '100000000000.000002'), item('d', '10', { name: 'A' })];
  const ids = (...sort: Parameters<typeof sortSpending> extends [unknown, ...infer Rest] ? Rest : never) =>
    sortSpending(items, ...sort)
      .map(({ id }) => id)
      .join('');
  expect(ids('charged', 'desc')).toBe('cbda');
  expect(ids('charged', 'asc')).toBe('adbc');
  expect(ids('name', 'asc')).toBe('adbc');
  expect(ids('held', 'desc')).toBe('abcd');
});

test('the address of the page has known choices only', () => {
  const all = { span: '7d', by: 'day', show: 'earnings', sort: 'held', order: 'asc' };
  expect(spendingSearch(all)).toEqual(all);
  expect(spendingSearch({ span: 'ever', by: 'person', show: 'all', sort: 'constructor', order: 'up' })).toEqual({});
  expect(spendingSearch({ span: 'toString', by: 7 })).toEqual({});
});

test('the file has the time and the side that the page shows', () => {
  const from = startOfDays(7, NOW);
  expect(ledgerFilePath({ from }, 'csv')).toBe('/v1/ledger/export?format=csv&from=2026-11-17T00%3A00%3A00.000Z');
  expect(ledgerFilePath({ from, mine: 'toolkits' }, 'jsonl')).toContain('format=jsonl&from=2026-11-17T00%3A00%3A00.000Z&mine=toolkits');
});
