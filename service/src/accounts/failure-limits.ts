/**
 * Limits of failures. Each attempt takes a point from every budget first and gives it back unless it fails, so that concurrent attempts cannot
 * exceed a limit.
 *
 * Errors: RATE_LIMITED with `retryAfterMs`, and those of the attempt.
 */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { SvcError } from '#sdk/protocol/errors';
import { consumeRateLimit, rateLimited } from '../lib/consume-rate-limit';

const TOO_MANY = 'Too many attempts';

export interface FailureBudget {
  limiter: RateLimiterAbstract;
  key: string;
}

/** @param hasFailed for an attempt that fails without an error */
export async function limitFailures<Result>(
  budgets: readonly FailureBudget[],
  attempt: () => Promise<Result>,
  hasFailed: (result: Result) => boolean = () => false,
): Promise<Result> {
  const giveBack = await takeFrom(budgets);
  let result: Result;
  try {
    result = await attempt();
  } catch (error) {
    if (!isFailure(error)) await giveBack();
    throw error;
  }
  if (!hasFailed(result)) await giveBack();
  return result;
}

/** Counts nothing. */
export async function requireLeft(budgets: readonly FailureBudget[]): Promise<void> {
  for (const { limiter, key } of budgets) {
    const state = await limiter.get(key);
    if (state && state.remainingPoints <= 0) throw rateLimited(TOO_MANY, state.msBeforeNext);
  }
}

/** False for an attempt that was not judged, as when the store is away. */
export function isFailure(error: unknown): boolean {
  return !SvcError.is(error) || (error.status < 500 && error.code !== 'RATE_LIMITED');
}

async function takeFrom(budgets: readonly FailureBudget[]): Promise<() => Promise<void>> {
  const taken: (FailureBudget & { until: number })[] = [];
  for (const budget of budgets) {
    const { msBeforeNext } = await consumeRateLimit(budget.limiter, budget.key, TOO_MANY);
    taken.push({ ...budget, until: Date.now() + msBeforeNext });
  }
  return async () => {
    for (const { limiter, key, until } of taken) {
      // A point that is given back in the next period would be one more attempt there.
      if (Date.now() < until) await limiter.reward(key);
    }
  };
}
