/** Authenticates the callers of agent routes and applies the rate limits of their keys. */
import { SvcError, type SvcErrorCode } from '#sdk/protocol/errors';
import type { AgentTokens, CallingKey } from '../keys/agent-tokens';
import { type NeededKind, tokenInHeader } from '../keys/bearer';
import type { KeyRing } from '../keys/key-ring';
import type { RateLimits, RateState } from '../keys/rate-limit';
import type { KeyRecord } from '../store/store';

export type SetHeader = (name: string, value: string) => void;
type RefusalListener = (keyId: string, code: string) => void;

/** Codes of refusals that are recorded, although the request was not read. */
const REFUSALS: ReadonlySet<string> = new Set<SvcErrorCode>(['RATE_LIMITED', 'KEY_EXPIRED', 'KEY_REVOKED']);

/** The last key of a connection. Most connections send the same key with every call, so it is hashed once. */
export interface LastKey {
  authorization: string | undefined;
  key: CallingKey | undefined;
}

export class AgentGate {
  readonly #keys: KeyRing;
  readonly #tokens: AgentTokens;
  readonly #rates: RateLimits;
  readonly #listeners: RefusalListener[] = [];

  constructor(keys: KeyRing, tokens: AgentTokens, rates: RateLimits) {
    this.#keys = keys;
    this.#tokens = tokens;
    this.#rates = rates;
  }

  /** Calls back for refused requests with known keys. */
  onRefused(listener: RefusalListener): void {
    this.#listeners.push(listener);
  }

  /**
   * Reports a refused request to `onRefused`.
   *
   * @param caller the key, or the `Authorization` header
   */
  refused(error: unknown, caller: KeyRecord | string | undefined): void {
    if (!SvcError.is(error) || !REFUSALS.has(error.code)) return;
    const keyId = typeof caller === 'object' ? caller.id : this.#knownId(caller);
    if (keyId !== undefined) for (const listener of this.#listeners) listener(keyId, error.code);
  }

  /**
   * Returns the key of a caller of `/mcp`, which may also be an OAuth client. Rejects with INVALID_KEY, KEY_EXPIRED, KEY_REVOKED or WRONG_KEY_KIND.
   */
  async authenticateMcp(authorization: string | undefined): Promise<CallingKey> {
    return this.#find(authorization, 'agent', true);
  }

  /** True for the access token of an OAuth client, good or not: its client can get another. A token that this service did not sign counts as one. */
  async isOfApp(authorization: string): Promise<boolean> {
    const token = tokenInHeader(authorization);
    return token !== undefined && this.#tokens.isOfApp(token);
  }

  /**
   * Checks the key again after a body was read, and returns its current record. Rejects as `authenticate` does. Cheap, and without a promise, while
   * the key is cached; errors are then thrown.
   */
  again(key: CallingKey, needed: NeededKind = 'agent'): CallingKey | Promise<CallingKey> {
    return key.token ? this.#tokens.again(key.token) : this.#keys.again(key, needed);
  }

  /** Counts a call against the key's rate limit. Rejects with RATE_LIMITED, and reports the refusal. */
  async count(key: KeyRecord): Promise<void> {
    try {
      await this.#rates.consume(key);
    } catch (error) {
      this.refused(error, key);
      throw error;
    }
  }

  /** Counts a call against the key's rate limit, and sets the `RateLimit` headers if it has one. */
  async charge(key: KeyRecord, setHeader: SetHeader): Promise<void> {
    setRateHeaders(await this.#rates.consume(key), setHeader);
  }

  /** Authenticates the caller and counts the call. */
  async admit(authorization: string | undefined, setHeader: SetHeader, needed: NeededKind = 'agent'): Promise<CallingKey> {
    const found = this.#find(authorization, needed);
    const key = found instanceof Promise ? await found : found;
    await this.charge(key, setHeader);
    return key;
  }

  /** `admit` for a connection. Allocates no promise for a cached key without a rate limit, and then throws instead of rejecting. */
  admitFrom(last: LastKey, authorization: string | undefined, setHeader: SetHeader): CallingKey | Promise<CallingKey> {
    const key = this.#findFrom(last, authorization);
    if (key instanceof Promise || key.callsPerMinute !== null) return this.#admitLater(last, key, setHeader);
    last.key = key;
    return key;
  }

  /** True if `admitFrom` would admit the key synchronously. */
  admitsNow(last: LastKey, authorization: string | undefined): boolean {
    try {
      const key = this.#findFrom(last, authorization);
      if (key instanceof Promise) key.catch(() => {});
      return !(key instanceof Promise) && key.callsPerMinute === null;
    } catch {
      return false;
    }
  }

  /** `admit` for agent keys only. Rejects with WRONG_KEY_KIND for a token. */
  async admitKey(authorization: string | undefined, setHeader: SetHeader): Promise<KeyRecord> {
    const key = await this.#keys.authenticate(authorization, 'agent');
    await this.charge(key, setHeader);
    return key;
  }

  /** Checks the last key again, so that a revocation takes effect with the next call. */
  #findFrom(last: LastKey, authorization: string | undefined): CallingKey | Promise<CallingKey> {
    if (last.key && last.authorization === authorization) return this.again(last.key);
    last.authorization = authorization;
    last.key = undefined;
    return this.#find(authorization, 'agent');
  }

  async #admitLater(last: LastKey, found: CallingKey | Promise<CallingKey>, setHeader: SetHeader): Promise<CallingKey> {
    const key = await found;
    last.key = key;
    await this.charge(key, setHeader);
    return key;
  }

  #knownId(authorization: string | undefined): string | undefined {
    const token = tokenInHeader(authorization);
    return token === undefined ? this.#keys.knownId(authorization) : this.#tokens.knownKeyId(token);
  }

  #find(authorization: string | undefined, needed: NeededKind, isMcp = false): CallingKey | Promise<CallingKey> {
    const token = tokenInHeader(authorization);
    return token !== undefined && needed.includes('agent')
      ? this.#tokens.authenticate(token, isMcp)
      : this.#keys.authenticate(authorization, needed);
  }
}

function setRateHeaders(rate: RateState | undefined, setHeader: SetHeader): void {
  if (!rate) return;
  setHeader('ratelimit-limit', String(rate.limit));
  setHeader('ratelimit-remaining', String(rate.remaining));
  setHeader('ratelimit-reset', String(Math.ceil(rate.resetMs / 1000)));
}
