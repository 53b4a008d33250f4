import { expect, test } from 'vitest';
import { statusDays } from '../../../src/catalogue-pages/status-part';
import { DAY_MS } from '../../../src/lib/utc-day';

const NO_NUMBERS = new Map();

test('only minutes in which the toolkit was registered count', () => {
  // The toolkit was registered ten minutes ago; the service runs since midnight.
  const now = 100 * DAY_MS + DAY_MS / 2;
  const minutes = [
    { day: 99, online: 0, counted: 1_440 },
    { day: 100, online: 9, counted: 720 },
  ];
  const days = statusDays({ now, createdAt: now - 600_000, uptime: minutes, numbers: NO_NUMBERS });
  expect(days).toHaveLength(90);
  expect(days.slice(-2)).toMatchObject([
    { day: 99, online: 0, counted: 0 },
    { day: 100, online: 9, counted: 10 },
  ]);
});

test('an old toolkit that was away is measured by the minutes of the service', () => {
  const minutes = [{ day: 99, online: 360, counted: 720 }];
  const days = statusDays({ now: 100 * DAY_MS, createdAt: 0, uptime: minutes, numbers: NO_NUMBERS });
  expect(days.at(-2)).toMatchObject({ day: 99, online: 360, counted: 720 });
});
