/** Exponential backoff with full jitter: the wait before the next try, in milliseconds. */
const FIRST_MS = 1_000;
const MAX_MS = 60_000;

/** @param tried number of tries so far, from 1 */
export function fullJitterMs(tried: number): number {
  return Math.random() * Math.min(MAX_MS, FIRST_MS * 2 ** (tried - 1));
}
