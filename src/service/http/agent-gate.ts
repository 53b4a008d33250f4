/** Who calls, and how often they may: the same gate before every agent route. */
import type { KeyRing } from '../keys/key-ring';
import type { RateLimits } from '../keys/rate-limit';
import type { KeyRecord } from '../store/store';

export class AgentGate {
  readonly #keys: KeyRing;
  readonly #rates: RateLimits;

  constructor(keys: KeyRing, rates: RateLimits) {
    this.#keys = keys;
    this.#rates = rates;
  }

  /** Rejects with INVALID_KEY, KEY_EXPIRED, KEY_REVOKED, WRONG_KEY_KIND or RATE_LIMITED. `setHeader` gets the `RateLimit` headers of a limited key. */
  async admit(authorization: string | undefined, setHeader: (name: string, value: string) => void): Promise<KeyRecord> {
    const found = this.#keys.authenticate(authorization, 'agent');
    const key = found instanceof Promise ? await found : found;
    const rate = await this.#rates.consume(key);
    if (!rate) return key;
    setHeader('ratelimit-limit', String(rate.limit));
    setHeader('ratelimit-remaining', String(rate.remaining));
    setHeader('ratelimit-reset', String(Math.ceil(rate.resetMs / 1000)));
    return key;
  }
}
