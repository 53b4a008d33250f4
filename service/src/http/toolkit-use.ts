/**
 * The order of toolkits by use: online before offline, then by their calls of 30 days, then by the share that succeeded, then by name.
 *
 * Shape:  a text for each toolkit; texts in ascending order put the most used one first.
 */
import { DAY_MS, utcDay } from '../lib/utc-day';
import type { CountStore } from '../store/console-store';
import type { ToolkitRecord } from '../store/store';

const DAYS = 30;
const DIGITS = 16;

export async function toolkitUse(
  counts: Pick<CountStore, 'sums'>,
  isOnline: (id: string) => boolean,
  now = Date.now(),
): Promise<(toolkit: Pick<ToolkitRecord, 'id' | 'name'>) => string> {
  const today = utcDay(now) * DAY_MS;
  const sums = await counts.sums({ dimension: 'toolkit', step: 86_400, from: today - DAYS * DAY_MS, to: today + DAY_MS });
  const byId = new Map(sums.map((sum) => [sum.name, sum]));
  return ({ id, name }) => {
    const { calls = 0, errors = 0 } = byId.get(id) ?? {};
    const success = calls === 0 ? 0 : Math.round((1_000_000 * (calls - errors)) / calls);
    return [isOnline(id) ? 0 : 1, downwards(calls), downwards(success), name.toLowerCase()].join(' ');
  };
}

/** Larger numbers come first. */
function downwards(number: number): string {
  return String(Number.MAX_SAFE_INTEGER - number).padStart(DIGITS, '0');
}
