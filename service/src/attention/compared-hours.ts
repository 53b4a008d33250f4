/** The hours that the comparisons with last week use: the last whole hour with the present one, and the same hours seven days before. */
import { DAY_MS } from '../lib/utc-day';

const HOUR_MS = 60 * 60 * 1_000;
const WEEK_MS = 7 * DAY_MS;

export interface Hours {
  from: number;
  to: number;
}

export function comparedHours(now: number): { present: Hours; lastWeek: Hours } {
  const hour = now - (now % HOUR_MS);
  const present = { from: hour - HOUR_MS, to: hour + HOUR_MS };
  return { present, lastWeek: { from: present.from - WEEK_MS, to: present.to - WEEK_MS } };
}
