/** Rate limits of agent keys: fixed windows of one minute, counted in the store for all nodes. */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { SvcError } from '#sdk/protocol/errors';
import { consumeRateLimit } from '../lib/consume-rate-limit';
import type { KeyRecord, Store } from '../store/store';

const WINDOW_SECONDS = 60;

/** Values for the `RateLimit-*` headers of an answer. */
export interface RateState {
  /** Calls per minute. */
  limit: number;
  remaining: number;
  /** Milliseconds until the window resets. */
  resetMs: number;
}

export class RateLimits {
  /** One limiter per limit: a limiter applies one limit to all of its keys. */
  readonly #limiters = new Map<number, RateLimiterAbstract>();
  readonly #store: Pick<Store, 'counter'>;
  readonly #listeners: (() => void)[] = [];

  constructor(store: Pick<Store, 'counter'>) {
    this.#store = store;
  }

  /** Calls back for every refused call. */
  onLimited(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Counts a call. Returns undefined for a key without a limit; rejects with RATE_LIMITED and `retryAfterMs` above the limit. */
  consume({ id, callsPerMinute }: Pick<KeyRecord, 'id' | 'callsPerMinute'>): Promise<RateState> | undefined {
    return callsPerMinute === null ? undefined : this.#count(id, callsPerMinute);
  }

  async #count(id: string, limit: number): Promise<RateState> {
    try {
      const { remainingPoints, msBeforeNext } = await consumeRateLimit(
        this.#limiter(limit),
        id,
        `Key ${id} may call ${limit} times a minute`,
      );
      return { limit, remaining: remainingPoints, resetMs: msBeforeNext };
    } catch (error) {
      if (error instanceof SvcError && error.code === 'RATE_LIMITED') for (const listener of this.#listeners) listener();
      throw error;
    }
  }

  #limiter(limit: number): RateLimiterAbstract {
    const limiter = this.#limiters.get(limit) ?? this.#store.counter({ points: limit, seconds: WINDOW_SECONDS });
    this.#limiters.set(limit, limiter);
    return limiter;
  }
}
