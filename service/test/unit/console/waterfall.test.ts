import { expect, test } from 'vitest';
import { barOf, LONG_PAUSE_MS, partsOf, tickMs } from '../../../console/src/pages/session/waterfall';

test('a longer pause begins a new part, counted from the end of the last search or call', () => {
  const long = { at: 1_000, ms: 60_000 };
  const within = { at: 5_000, ms: 10 };
  const justIn = { at: 61_000 + LONG_PAUSE_MS, ms: 0 };
  const apart = { at: justIn.at + LONG_PAUSE_MS + 1, ms: 5 };
  expect(partsOf([long, within, justIn, apart])).toEqual([
    { entries: [long, within, justIn], at: 1_000, ms: 60_000 + LONG_PAUSE_MS, pauseMs: 0 },
    { entries: [apart], at: apart.at, ms: 5, pauseMs: LONG_PAUSE_MS + 1 },
  ]);
  expect(partsOf([])).toEqual([]);
});

test('bars are to scale within their part, also where all of it took no time', () => {
  const part = { at: 1_000, ms: 400 };
  expect(barOf({ at: 1_100, ms: 200 }, part)).toEqual({ from: 0.25, length: 0.5 });
  expect(barOf({ at: 1_000, ms: 0 }, { at: 1_000, ms: 0 })).toEqual({ from: 0, length: 0 });
});

test.each([
  [0, 1],
  [5, 1],
  [6, 2],
  [1_000, 200],
  [5_001, 2_000],
  [8_000, 2_000],
  [61_000, 15_000],
  [5 * 60_000, 60_000],
  [2 * 3_600_000, 30 * 60_000],
  [11 * 3_600_000, 3 * 3_600_000],
])('an axis of %i ms has a mark every %i ms', (ms, tick) => {
  expect(tickMs(ms)).toBe(tick);
});
