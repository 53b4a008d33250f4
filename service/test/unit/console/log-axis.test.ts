import { expect, test } from 'vitest';
import { formatAxis } from '../../../console/src/parts/format';
import { logRange, logTicks } from '../../../console/src/parts/log-axis';

test('an outage of 30 s leaves a step of the axis to calls of some milliseconds', () => {
  const [least, most] = logRange(4, 30_000);
  expect([least, most]).toEqual([1, 100_000]);
  expect(logTicks(least, most)).toEqual([1, 10, 100, 1_000, 10_000, 100_000]);
});

test('values of one size have ticks between the powers of ten', () => {
  expect(logRange(0.8, 0.8)).toEqual([0.1, 1]);
  expect(logTicks(...logRange(0.8, 0.8))).toEqual([0.1, 0.2, 0.5, 1]);
  expect(logRange(10, 10)).toEqual([10, 100]);
  expect(logRange(null, null)).toEqual([1, 10]);
});

test('the labels of an axis are all short, or all exact', () => {
  expect(formatAxis([0, 5_000, 10_000])).toEqual(['0', '5K', '10K']);
  expect(formatAxis([0, 2_500, 5_000])).toEqual(['0', '2,500', '5,000']);
});
