/** Authentication and rate limit of every agent route. */
import { SvcError, type SvcErrorCode } from '../../protocol/errors';
import type { AgentTokens, CallingKey } from '../keys/agent-tokens';
import { type NeededKind, tokenInHeader } from '../keys/bearer';
import type { KeyRing } from '../keys/key-ring';
import type { RateLimits, RateState } from '../keys/rate-limit';
import type { KeyRecord } from '../store/store';

type SetHeader = (name: string, value: string) => void;
type RefusalListener = (keyId: string, code: string) => void;

/** Error codes of calls that are refused before they are read. */
const REFUSALS: ReadonlySet<string> = new Set<SvcErrorCode>(['RATE_LIMITED', 'KEY_EXPIRED', 'KEY_REVOKED']);

/** The key that a connection sent last. Most connections send the same one with every call, which then needs no hash. */
export interface LastKey {
  authorization: string | undefined;
  key: CallingKey | undefined;
}

export class AgentGate {
  readonly #keys: KeyRing;
  readonly #tokens: AgentTokens;
  readonly #rates: RateLimits;
  readonly #onRefused: RefusalListener;

  /** @param onRefused runs for refused calls with known keys */
  constructor(keys: KeyRing, tokens: AgentTokens, rates: RateLimits, onRefused: RefusalListener = () => {}) {
    this.#keys = keys;
    this.#tokens = tokens;
    this.#rates = rates;
    this.#onRefused = onRefused;
  }

  /** Reports a refused call; `caller` is its key, or the header with the key. */
  refused(error: unknown, caller: KeyRecord | string | undefined): void {
    if (!SvcError.is(error) || !REFUSALS.has(error.code)) return;
    const keyId = typeof caller === 'object' ? caller.id : this.#knownId(caller);
    if (keyId !== undefined) this.#onRefused(keyId, error.code);
  }

  /** Finds the caller by a key or an agent token. Rejects with INVALID_KEY, KEY_EXPIRED, KEY_REVOKED or WRONG_KEY_KIND. */
  async authenticate(authorization: string | undefined): Promise<CallingKey> {
    return this.#find(authorization, 'agent');
  }

  /** Looks the same key up again, since reading a long body takes time. Rejects as `authenticate` does; cheap while the key has not changed. */
  again(key: CallingKey): CallingKey | Promise<CallingKey> {
    return key.token ? this.#tokens.again(key.token) : this.#keys.again(key, 'agent');
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

  /** Counts a call likewise, and sets the `RateLimit` headers of a limited key with `setHeader`. */
  async charge(key: KeyRecord, setHeader: SetHeader): Promise<void> {
    tell(await this.#rates.consume(key), setHeader);
  }

  /** Authenticates and charges. */
  async admit(authorization: string | undefined, setHeader: SetHeader, needed: NeededKind = 'agent'): Promise<CallingKey> {
    const found = this.#find(authorization, needed);
    const key = found instanceof Promise ? await found : found;
    tell(await this.#rates.consume(key), setHeader);
    return key;
  }

  /** As `admit`, for a connection: without a promise for a key that is known and has no rate limit. Errors are then thrown. */
  admitFrom(last: LastKey, authorization: string | undefined, setHeader: SetHeader): CallingKey | Promise<CallingKey> {
    const key = this.#findFrom(last, authorization);
    if (key instanceof Promise || key.callsPerMinute !== null) return this.#admitLater(last, key, setHeader);
    last.key = key;
    return key;
  }

  /** Whether `admitFrom` would admit the key at once. */
  admitsNow(last: LastKey, authorization: string | undefined): boolean {
    try {
      const key = this.#findFrom(last, authorization);
      if (key instanceof Promise) key.catch(() => {});
      return !(key instanceof Promise) && key.callsPerMinute === null;
    } catch {
      return false;
    }
  }

  /** As `admit`, for agent keys only: a token is refused with WRONG_KEY_KIND. */
  async admitKey(authorization: string | undefined, setHeader: SetHeader): Promise<KeyRecord> {
    const key = await this.#keys.authenticate(authorization, 'agent');
    tell(await this.#rates.consume(key), setHeader);
    return key;
  }

  /** A key that was found before is looked up again by its hash: a revocation holds from the next call on. */
  #findFrom(last: LastKey, authorization: string | undefined): CallingKey | Promise<CallingKey> {
    if (last.key && last.authorization === authorization) return this.again(last.key);
    last.authorization = authorization;
    last.key = undefined;
    return this.#find(authorization, 'agent');
  }

  async #admitLater(last: LastKey, found: CallingKey | Promise<CallingKey>, setHeader: SetHeader): Promise<CallingKey> {
    const key = await found;
    last.key = key;
    tell(await this.#rates.consume(key), setHeader);
    return key;
  }

  #knownId(authorization: string | undefined): string | undefined {
    const token = tokenInHeader(authorization);
    return token === undefined ? this.#keys.knownId(authorization) : this.#tokens.knownKeyId(token);
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
