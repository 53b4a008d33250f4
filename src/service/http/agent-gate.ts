/** Who calls, and how often they may: the same gate before every agent route. */
import { SvcError, type SvcErrorCode } from '../../protocol/errors';
import type { NeededKind } from '../keys/bearer';
import type { KeyRing } from '../keys/key-ring';
import type { RateLimits, RateState } from '../keys/rate-limit';
import type { KeyRecord } from '../store/store';

type SetHeader = (name: string, value: string) => void;
type RefusalListener = (keyId: string, code: string) => void;

/** What a call is told that was not read. */
const REFUSALS: ReadonlySet<string> = new Set<SvcErrorCode>(['RATE_LIMITED', 'KEY_EXPIRED', 'KEY_REVOKED']);

export class AgentGate {
  readonly #keys: KeyRing;
  readonly #rates: RateLimits;
  readonly #onRefused: RefusalListener;

  /** @param onRefused hears of calls with keys that are known */
  constructor(keys: KeyRing, rates: RateLimits, onRefused: RefusalListener = () => {}) {
    this.#keys = keys;
    this.#rates = rates;
    this.#onRefused = onRefused;
  }

  /** Says that a call was not let in; `caller` is its key, or the header that the key came in. */
  refused(error: unknown, caller: KeyRecord | string | undefined): void {
    if (!SvcError.is(error) || !REFUSALS.has(error.code)) return;
    const keyId = typeof caller === 'object' ? caller.id : this.#keys.knownId(caller);
    if (keyId !== undefined) this.#onRefused(keyId, error.code);
  }

  /** Rejects with INVALID_KEY, KEY_EXPIRED, KEY_REVOKED or WRONG_KEY_KIND. */
  async authenticate(authorization: string | undefined): Promise<KeyRecord> {
    return this.#keys.authenticate(authorization, 'agent');
  }

  /** The same key as it is now: a long body may have been under way since it was admitted. Rejects likewise; it costs nothing while all is well. */
  again(key: KeyRecord): KeyRecord | Promise<KeyRecord> {
    return this.#keys.again(key, 'agent');
  }

  /** Counts a call against the key's limit; rejects with RATE_LIMITED, which counts as a refused call. */
  async count(key: KeyRecord): Promise<void> {
    try {
      await this.#rates.consume(key);
    } catch (error) {
      this.refused(error, key);
      throw error;
    }
  }

  /** Counts likewise, and tells the caller: `setHeader` gets the `RateLimit` headers of a limited key. */
  async charge(key: KeyRecord, setHeader: SetHeader): Promise<void> {
    tell(await this.#rates.consume(key), setHeader);
  }

  /** Both at once. */
  async admit(authorization: string | undefined, setHeader: SetHeader, needed: NeededKind = 'agent'): Promise<KeyRecord> {
    const found = this.#keys.authenticate(authorization, needed);
    const key = found instanceof Promise ? await found : found;
    tell(await this.#rates.consume(key), setHeader);
    return key;
  }
}

function tell(rate: RateState | undefined, setHeader: SetHeader): void {
  if (!rate) return;
  setHeader('ratelimit-limit', String(rate.limit));
  setHeader('ratelimit-remaining', String(rate.remaining));
  setHeader('ratelimit-reset', String(Math.ceil(rate.resetMs / 1000)));
}
