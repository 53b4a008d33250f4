import type { RateLimiterAbstract, RateLimiterRes as Taken } from 'rate-limiter-flexible';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { SvcError } from '#sdk/protocol/errors';

/**
 * Consumes one point. Keys must be unique across limiters: the store keeps all points in one table.
 *
 * @param tooMany the message above the limit; the waiting time is appended
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
