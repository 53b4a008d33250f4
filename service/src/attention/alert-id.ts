/** `alr_`, the time and random bits: ids sort by time. */
import { randomBytes } from 'node:crypto';

/** Milliseconds since the epoch in base 36: nine digits until the year 5188. */
const TIME_DIGITS = 9;
const RANDOM_BYTES = 8;

export function newAlertId(now = Date.now()): string {
  return `alr_${now.toString(36).padStart(TIME_DIGITS, '0')}${randomBytes(RANDOM_BYTES).toString('hex')}`;
}
