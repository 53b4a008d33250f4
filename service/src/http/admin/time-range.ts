/**
 * The time range of a statistic, and its steps.
 *
 * Units:  milliseconds since the epoch; steps in seconds. Both ends are multiples of a step.
 * Errors: INVALID_REQUEST for a range that ends before it begins, or is too long.
 */
import { SvcError } from '#sdk/protocol/errors';
import { DAY_MS, utcDay } from '../../lib/utc-day';
import { MINUTE_COUNTS_DAYS } from '../../records/retention';
import type { CountQuery, CountStep } from '../../store/console-store';

const HOUR_MS = 3_600_000;
/** The longest range in steps of a minute: six hours, with room to round both ends. */
const MAX_BY_MINUTE_MS = 6.25 * HOUR_MS;
/** The longest range that is summed up from hours; a longer one uses days. */
const MAX_BY_HOUR_MS = 2 * DAY_MS;
/** A month in steps of an hour is as many points as a chart can show. */
const MAX_RANGE_MS = 31 * DAY_MS;

export type TimeRange = Pick<CountQuery, 'from' | 'to' | 'step'>;

interface Asked {
  from?: string | undefined;
  to?: string | undefined;
}

/** A range in steps for a chart. Default: the last hour. */
export function readRange(asked: Asked, now = Date.now()): TimeRange {
  const { from, to } = readTimes(asked, now);
  const byMinute = to - from <= MAX_BY_MINUTE_MS && from >= now - MINUTE_COUNTS_DAYS * DAY_MS;
  return inSteps(from, to, byMinute ? 60 : 3_600);
}

/** Returns a range in steps to be summed up. A long range has few large steps, with about the same result. */
export function readSpan(asked: Asked, now = Date.now()): TimeRange {
  const { from, to } = readTimes(asked, now);
  return to - from > MAX_BY_HOUR_MS ? inSteps(from, to, 86_400) : readRange(asked, now);
}

function readTimes(asked: Asked, now: number): { from: number; to: number } {
  const to = asked.to === undefined ? now : Date.parse(asked.to);
  const from = asked.from === undefined ? to - HOUR_MS : Date.parse(asked.from);
  if (from >= to) throw new SvcError('INVALID_REQUEST', '"from" must be before "to"');
  if (to - from > MAX_RANGE_MS) throw new SvcError('INVALID_REQUEST', 'At most 31 days at a time: move "from" and "to" closer together');
  return { from, to };
}

/** A leap year. */
export const MAX_SPENDING_DAYS = 366;
const SPENDING_DAYS = 30;

/** Returns the exact range, not in steps: sums of money are exact. Default: this UTC day and the 30 before. */
export function readSpendingRange(asked: Asked, now = Date.now()): { from: number; to: number } {
  const to = asked.to === undefined ? now : Date.parse(asked.to);
  const from = asked.from === undefined ? (utcDay(to) - SPENDING_DAYS) * DAY_MS : Date.parse(asked.from);
  if (from >= to) throw new SvcError('INVALID_REQUEST', '"from" must be before "to"');
  if (to - from <= MAX_SPENDING_DAYS * DAY_MS) return { from, to };
  throw new SvcError('INVALID_REQUEST', `At most ${MAX_SPENDING_DAYS} days at a time: move "from" and "to" closer together`);
}

/** Returns the last 24 hours, extended to whole hours. */
export function lastDay(now = Date.now()): TimeRange {
  return inSteps(now - DAY_MS, now, 3_600);
}

function inSteps(from: number, to: number, step: CountStep): TimeRange {
  const stepMs = step * 1_000;
  return { from: Math.floor(from / stepMs) * stepMs, to: Math.ceil(to / stepMs) * stepMs, step };
}
