/**
 * Rate limits of changes in the admin API and of calls as a key, counted in the store for all nodes. A person reaches a limit only with a script; an
 * admin key, which programs use, only in an endless loop.
 *
 * Errors: RATE_LIMITED with `retryAfterMs`.
 */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { consumeRateLimit } from '../lib/consume-rate-limit';
import type { Store } from '../store/store';
import type { Principal } from './principal';

/** `call-as-key`: a search, a call or a run as one of the caller's keys. `model`: a turn of the operator's model for the playground. */
export type LimitedRequest = 'change' | 'call-as-key' | 'model';

interface Limit {
  /** The counted requests and the period: part of the counter's key and of the error message. */
  name: string;
  limiter: RateLimiterAbstract;
}

export class ChangeLimits {
  readonly #limits: Record<Principal['kind'], Record<LimitedRequest, Limit[]>>;

  constructor(store: Pick<Store, 'counter'>) {
    const minute = (what: string, points: number) => ({ name: `${what} in a minute`, limiter: store.counter({ points, seconds: 60 }) });
    const hour = (what: string, points: number) => ({ name: `${what} in an hour`, limiter: store.counter({ points, seconds: 3_600 }) });
    // The operator pays for them.
    const turns = [minute('turns of the model', 30), hour('turns of the model', 300)];
    this.#limits = {
      person: { change: [minute('changes', 120), hour('changes', 1_000)], 'call-as-key': [minute('calls as a key', 300)], model: turns },
      key: { change: [minute('changes', 6_000)], 'call-as-key': [minute('calls as a key', 6_000)], model: turns },
    };
  }

  async count({ kind, id }: Pick<Principal, 'kind' | 'id'>, request: LimitedRequest): Promise<void> {
    for (const { name, limiter } of this.#limits[kind][request]) await consumeRateLimit(limiter, `${name} ${id}`, `Too many ${name}`);
  }
}
