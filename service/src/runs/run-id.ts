/** The id of a run: `run_`, the time, and 120 random bits, which no caller can guess. Ids sort by time. */
import { randomBytes } from 'node:crypto';

/** Milliseconds since the epoch in base 36: nine digits until the year 5188. */
const TIME_DIGITS = 9;
const RANDOM_BYTES = 15;

export function newRunId(): string {
  return `run_${Date.now().toString(36).padStart(TIME_DIGITS, '0')}${randomBytes(RANDOM_BYTES).toString('hex')}`;
}
