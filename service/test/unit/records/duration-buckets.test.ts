import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf, LAST_BUCKET, percentile } from '../../../src/records/duration-buckets';

const durations = fc.array(fc.double({ min: 0.1, max: 600_000, noNaN: true }), { minLength: 1, maxLength: 200 });

function counted(ms: readonly number[]) {
  return ms.map((duration) => ({ bucket: bucketOf(duration), calls: 1 }));
}

test('a percentile of counts is within 10 % of the percentile of all durations', () => {
  fc.assert(
    fc.property(durations, fc.double({ min: 0, max: 1, noNaN: true }), (ms, q) => {
      const exact = [...ms].sort((a, b) => a - b)[Math.max(1, Math.ceil(q * ms.length)) - 1] ?? 0;
      const told = percentile(counted(ms), q) ?? 0;
      expect(Math.abs(told - exact) / exact).toBeLessThanOrEqual(0.1);
    }),
  );
});

test('counts of one bucket may arrive in pieces and in any order', () => {
  const pieces = [
    { bucket: bucketOf(1_000), calls: 1 },
    { bucket: bucketOf(10), calls: 60 },
    { bucket: bucketOf(10), calls: 38 },
    { bucket: bucketOf(1_000), calls: 1 },
  ];
  expect(percentile(pieces, 0.5)).toBeCloseTo(10, -1);
  expect(percentile(pieces, 0.99)).toBeGreaterThan(900);
});

test('a duration out of range counts as the shortest or longest', () => {
  for (const ms of [0, -1, 0.05, 0.1]) expect(bucketOf(ms)).toBe(0);
  for (const ms of [600_000, 1e12]) expect(bucketOf(ms)).toBe(LAST_BUCKET);
});

test('no calls have no percentile', () => {
  expect(percentile([], 0.5)).toBeUndefined();
  expect(percentile([{ bucket: 3, calls: 0 }], 0.5)).toBeUndefined();
});
