import { fullJitterMs } from '../../protocol/backoff';

const LIMITS = { firstMs: 1_000, longestMs: 60_000 };

/**
 * The wait before the next try of a client, in milliseconds.
 *
 * @param tried number of tries so far, from 1
 */
export function retryWaitMs(tried: number): number {
  return fullJitterMs(tried, LIMITS);
}
