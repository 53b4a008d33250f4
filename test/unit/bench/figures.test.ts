import { expect, test } from 'vitest';
import { percentile, spreadOf } from '../../../bench/common/statistics.ts';
import { payloadOf } from '../../../bench/load/payload.ts';

test('a percentile is the smallest value that enough of the values do not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  expect([0, 0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([1, 50, 99, 100]);
  expect(percentile([7], 0.99)).toBe(7);
  expect(percentile([], 0.5)).toBeNaN();
});

test('the median of an even number of values is the middle between two of them', () => {
  expect(spreadOf([4, 1, 3, 2])).toEqual({ min: 1, lowerQuartile: 1, median: 2.5, upperQuartile: 3, max: 4 });
  expect(spreadOf([30, 10, 20]).median).toBe(20);
});

test.each([300, 30_000])('a payload of %i bytes has exactly that many as JSON', (bytes) => {
  expect(Buffer.byteLength(JSON.stringify(payloadOf(bytes)))).toBe(bytes);
});
