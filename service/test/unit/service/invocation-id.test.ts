/** Ids of calls sort by time, and within a millisecond by the order in which they were made. */
import { expect, test } from 'vitest';
import { newInvocationId } from '../../../src/calls/invocation-id';

test('ids of one millisecond sort in their order, before those of the next', () => {
  const ids = [...Array.from({ length: 1_200 }, () => newInvocationId(1_800_000_000_000)), newInvocationId(1_800_000_000_001)];
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('more ids than a millisecond has numbers for stay different', () => {
  const ids = Array.from({ length: 3_000 }, () => newInvocationId(1_800_000_000_000));
  expect(new Set(ids).size).toBe(ids.length);
});
