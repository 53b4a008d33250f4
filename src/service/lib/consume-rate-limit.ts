import type { RateLimiterAbstract, RateLimiterRes as Taken } from 'rate-limiter-flexible';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { SvcError } from '../../protocol/errors';

/**
 * Counts one more for this key, which no other limiter may use: the store keeps them all in one place.
 *
 * @param tooMany the message when it is one too many, before how long to wait
 * @throws SvcError RATE_LIMITED with `retryAfterMs`
 */
export async function consumeRateLimit(limiter: RateLimiterAbstract, key: string, tooMany: string): Promise<Taken> {
  try {
    return await limiter.consume(key);
  } catch (reason) {
    if (!(reason instanceof RateLimiterRes)) throw reason;
    throw rateLimited(tooMany, reason.msBeforeNext);
  }
}

export function rateLimited(tooMany: string, retryAfterMs: number): SvcError {
  return new SvcError('RATE_LIMITED', `${tooMany}: wait ${Math.ceil(retryAfterMs / 1000)} s`, { retryAfterMs });
}
