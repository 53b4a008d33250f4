/**
 * How often somebody who is let in may change something in the admin API, or call as a key; counted by the store for all nodes. Of people more than
 * hands can do; of admin keys, which programs have, what only a loop without an end does.
 *
 * Errors: RATE_LIMITED with `retryAfterMs`.
 */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { consumeRateLimit } from '../lib/consume-rate-limit';
import type { Store } from '../store/store';
import type { Principal } from './principal';

/** `call-as-key`: a search, a resolve or an invoke as one of the caller's keys. */
export type LimitedRequest = 'change' | 'call-as-key';

interface Limit {
  /** The counted thing and its window: part of the counter's key and of the message. */
  name: string;
  limiter: RateLimiterAbstract;
}

export class ChangeLimits {
  readonly #limits: Record<Principal['kind'], Record<LimitedRequest, Limit[]>>;

  constructor(store: Pick<Store, 'counter'>) {
    const minute = (what: string, points: number) => ({ name: `${what} in a minute`, limiter: store.counter({ points, seconds: 60 }) });
    const hour = (what: string, points: number) => ({ name: `${what} in an hour`, limiter: store.counter({ points, seconds: 3_600 }) });
    this.#limits = {
      person: { change: [minute('changes', 120), hour('changes', 1_000)], 'call-as-key': [minute('calls as a key', 300)] },
      key: { change: [minute('changes', 6_000)], 'call-as-key': [minute('calls as a key', 6_000)] },
    };
  }

  async count({ kind, id }: Pick<Principal, 'kind' | 'id'>, request: LimitedRequest): Promise<void> {
    for (const { name, limiter } of this.#limits[kind][request]) await consumeRateLimit(limiter, `${name} ${id}`, `Too many ${name}`);
  }
}
