/** How often agent keys may call: windows of one minute, counted by the store for all nodes. */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { SvcError } from '../../protocol/errors';
import { consumeRateLimit } from '../lib/consume-rate-limit';
import type { KeyRecord, Store } from '../store/store';

const WINDOW_SECONDS = 60;

/** Values for the `RateLimit-*` headers of an answer. */
export interface RateState {
  /** Calls per minute. */
  limit: number;
  remaining: number;
  /** Milliseconds until all of them are back. */
  resetMs: number;
}

export class RateLimits {
  /** One counter per limit, since a limiter has one limit for all of its keys. */
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

  /** Counts a call. Undefined for a key without a limit, at no cost; RATE_LIMITED with `retryAfterMs` when the limit is reached. */
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
