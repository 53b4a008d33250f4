import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { SvcError } from '../../protocol/errors';

/**
 * Counts one more for this key, which no other limiter may use: the store keeps them all in one place.
 *
 * @param what such as "attempts"
 * @throws SvcError RATE_LIMITED with `retryAfterMs`
 */
export async function take(limiter: RateLimiterAbstract, key: string, what: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (reason) {
    if (!(reason instanceof RateLimiterRes)) throw reason;
    const retryAfterMs = reason.msBeforeNext;
    throw new SvcError('RATE_LIMITED', `Too many ${what}: wait ${Math.ceil(retryAfterMs / 1000)} s`, { retryAfterMs });
  }
}
