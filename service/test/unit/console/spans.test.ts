import { expect, test } from 'vitest';
import { beforeOf, SPAN_NAMES, SPANS, timesOf } from '../../../console/src/api/spans';

const NOW = Date.parse('2026-11-28T12:00:00.000Z');

test.each(SPAN_NAMES)('the time before the span %s is as long, and ends where the span starts', (span) => {
  const { from, to } = beforeOf(span, NOW);
  expect(Date.parse(to)).toBe(NOW - SPANS[span].seconds * 1_000);
  expect(Date.parse(to) - Date.parse(from)).toBe(SPANS[span].seconds * 1_000);
});

test('the time before a drawn time is as long, and ends where that starts', () => {
  const drawn = { from: '2026-11-28T10:00:00.000Z', to: '2026-11-28T10:15:00.000Z' };
  expect(timesOf(drawn)).toEqual(drawn);
  expect(beforeOf(drawn, NOW)).toEqual({ from: '2026-11-28T09:45:00.000Z', to: '2026-11-28T10:00:00.000Z' });
});
