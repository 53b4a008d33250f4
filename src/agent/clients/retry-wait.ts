import { fullJitterMs } from '../../protocol/backoff';

const LIMITS = { firstMs: 1_000, longestMs: 60_000 };

/**
 * The wait before a client asks its platform again, in milliseconds.
 *
 * @param tried number of tries so far, from 1
 */
export function retryWaitMs(tried: number): number {
  return fullJitterMs(tried, LIMITS);
}
