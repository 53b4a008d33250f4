/** Who calls, and how often they may: the same gate before every agent route. */
import type { AgentTokens, CallingKey } from '../keys/agent-tokens';
import { type NeededKind, tokenInHeader } from '../keys/bearer';
import type { KeyRing } from '../keys/key-ring';
import type { RateLimits, RateState } from '../keys/rate-limit';
import type { KeyRecord } from '../store/store';

type SetHeader = (name: string, value: string) => void;

export class AgentGate {
  readonly #keys: KeyRing;
  readonly #tokens: AgentTokens;
  readonly #rates: RateLimits;

  constructor(keys: KeyRing, tokens: AgentTokens, rates: RateLimits) {
    this.#keys = keys;
    this.#tokens = tokens;
    this.#rates = rates;
  }

  /** By a key or an agent token. Rejects with INVALID_KEY, KEY_EXPIRED, KEY_REVOKED or WRONG_KEY_KIND. */
  async authenticate(authorization: string | undefined): Promise<CallingKey> {
    return this.#find(authorization, 'agent');
  }

  /** The same key as it is now: a long body may have been under way since it was admitted. Rejects likewise; it costs nothing while all is well. */
  again(key: CallingKey): CallingKey | Promise<CallingKey> {
    return key.token ? this.#tokens.again(key.token) : this.#keys.again(key, 'agent');
  }

  /** Counts a call against the key's limit; rejects with RATE_LIMITED. */
  async count(key: KeyRecord): Promise<void> {
    await this.#rates.consume(key);
  }

  /** Counts likewise, and tells the caller: `setHeader` gets the `RateLimit` headers of a limited key. */
  async charge(key: KeyRecord, setHeader: SetHeader): Promise<void> {
    tell(await this.#rates.consume(key), setHeader);
  }

  /** Both at once. */
  async admit(authorization: string | undefined, setHeader: SetHeader, needed: NeededKind = 'agent'): Promise<CallingKey> {
    const found = this.#find(authorization, needed);
    const key = found instanceof Promise ? await found : found;
    tell(await this.#rates.consume(key), setHeader);
    return key;
  }

  /** Likewise, by an agent key alone: a token is refused with WRONG_KEY_KIND. */
  async admitKey(authorization: string | undefined, setHeader: SetHeader): Promise<KeyRecord> {
    const key = await this.#keys.authenticate(authorization, 'agent');
    tell(await this.#rates.consume(key), setHeader);
    return key;
  }

  #find(authorization: string | undefined, needed: NeededKind): CallingKey | Promise<CallingKey> {
    const token = tokenInHeader(authorization);
    return token !== undefined && needed.includes('agent')
      ? this.#tokens.authenticate(token)
      : this.#keys.authenticate(authorization, needed);
  }
}

function tell(rate: RateState | undefined, setHeader: SetHeader): void {
  if (!rate) return;
  setHeader('ratelimit-limit', String(rate.limit));
  setHeader('ratelimit-remaining', String(rate.remaining));
  setHeader('ratelimit-reset', String(Math.ceil(rate.resetMs / 1000)));
}
