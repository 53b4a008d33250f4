/** Who calls, and how often they may: the same gate before every agent route. */
import type { NeededKind } from '../keys/bearer';
import type { KeyRing } from '../keys/key-ring';
import type { RateLimits, RateState } from '../keys/rate-limit';
import type { KeyRecord } from '../store/store';

export class AgentGate {
  readonly #keys: KeyRing;
  readonly #rates: RateLimits;

  constructor(keys: KeyRing, rates: RateLimits) {
    this.#keys = keys;
    this.#rates = rates;
  }

  /** Rejects with INVALID_KEY, KEY_EXPIRED, KEY_REVOKED or WRONG_KEY_KIND. */
  async authenticate(authorization: string | undefined): Promise<KeyRecord> {
    return this.#keys.authenticate(authorization, 'agent');
  }

  /** Counts a call against the key's limit; rejects with RATE_LIMITED. Undefined for a key without a limit. */
  async count(key: KeyRecord): Promise<RateState | undefined> {
    return this.#rates.consume(key);
  }

  /** Both at once. `setHeader` gets the `RateLimit` headers of a limited key. */
  async admit(
    authorization: string | undefined,
    setHeader: (name: string, value: string) => void,
    needed: NeededKind = 'agent',
  ): Promise<KeyRecord> {
    const found = this.#keys.authenticate(authorization, needed);
    const key = found instanceof Promise ? await found : found;
    const rate = await this.#rates.consume(key);
    if (!rate) return key;
    setHeader('ratelimit-limit', String(rate.limit));
    setHeader('ratelimit-remaining', String(rate.remaining));
    setHeader('ratelimit-reset', String(Math.ceil(rate.resetMs / 1000)));
    return key;
  }
}
