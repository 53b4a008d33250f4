/**
 * The time range of a statistic, and its steps.
 *
 * Units:  milliseconds since the epoch; steps in seconds. Both ends are on a border of a step.
 * Errors: INVALID_REQUEST for a range that ends before it begins, or is too long.
 */
import { SvcError } from '../../../protocol/errors';
import { MINUTE_COUNTS_DAYS } from '../../records/retention';
import type { CountQuery, CountStep } from '../../store/console-store';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Six hours, and room for both ends to be rounded: up to here a minute is a step. */
const MINUTES_UP_TO_MS = 6.25 * HOUR_MS;
/** Beyond it, a sum goes by days. */
const HOURS_UP_TO_MS = 2 * DAY_MS;
/** A month of hours: as many points as a chart can show. */
const LONGEST_MS = 31 * DAY_MS;

export type TimeRange = Pick<CountQuery, 'from' | 'to' | 'step'>;

interface Asked {
  from?: string | undefined;
  to?: string | undefined;
}

/** A range in steps for a chart. Default: the last hour. */
export function readRange(asked: Asked, now = Date.now()): TimeRange {
  const { from, to } = readTimes(asked, now);
  const byMinute = to - from <= MINUTES_UP_TO_MS && from >= now - MINUTE_COUNTS_DAYS * DAY_MS;
  return inSteps(from, to, byMinute ? 60 : 3_600);
}

/** A range in steps to be summed up: few large ones, where the result is about the same. */
export function readSpan(asked: Asked, now = Date.now()): TimeRange {
  const { from, to } = readTimes(asked, now);
  return to - from > HOURS_UP_TO_MS ? inSteps(from, to, 86_400) : readRange(asked, now);
}

function readTimes(asked: Asked, now: number): { from: number; to: number } {
  const to = asked.to === undefined ? now : Date.parse(asked.to);
  const from = asked.from === undefined ? to - HOUR_MS : Date.parse(asked.from);
  if (from >= to) throw new SvcError('INVALID_REQUEST', '"from" must be before "to"');
  if (to - from > LONGEST_MS) throw new SvcError('INVALID_REQUEST', 'At most 31 days at a time: move "from" and "to" closer together');
  return { from, to };
}

/** The last 24 hours, and what the hour before them has begun with. */
export function lastDay(now = Date.now()): TimeRange {
  return inSteps(now - DAY_MS, now, 3_600);
}

function inSteps(from: number, to: number, step: CountStep): TimeRange {
  const stepMs = step * 1_000;
  return { from: Math.floor(from / stepMs) * stepMs, to: Math.ceil(to / stepMs) * stepMs, step };
}
