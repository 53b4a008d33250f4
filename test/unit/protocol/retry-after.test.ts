import { expect, onTestFinished, test, vi } from 'vitest';
import { readRetryAfter } from '../../../src/protocol/retry-after';

test.each([
  ['120', 120_000],
  [' 7 ', 7_000],
  ['0', 0],
  ['9'.repeat(400), 2 ** 31 * 1_000],
  ['Sun, 06 Nov 1994 08:49:47 GMT', 10_000],
  ['Sunday, 06-Nov-94 08:49:47 GMT', 10_000],
  ['Sun Nov  6 08:49:47 1994', 10_000],
  ['Sun, 06 Nov 1994 08:49:27 GMT', 0],
  ['-5', undefined],
  ['1.5', undefined],
  ['+5', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['5 seconds', undefined],
  ['1994-11-06T08:49:47Z', undefined],
  ['Sun, 06 Nov 1994 08:49:47 +0100', undefined],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('%j requests %s ms', (header, ms) => {
  vi.useFakeTimers({ now: Date.UTC(1994, 10, 6, 8, 49, 37) });
  onTestFinished(() => void vi.useRealTimers());
  expect(readRetryAfter(header)).toBe(ms);
});
