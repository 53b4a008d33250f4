/**
 * Exchanges codes and refresh tokens for agent tokens, and ends grants.
 *
 * A grant is one sign-in of an app: it lasts while it is used, and ends when a token of it that was replaced long ago comes again, because then two
 * have it (RFC 9700 section 4.14.2). Nodes agree by compare-and-swap in the store.
 *
 * Units:  milliseconds.
 * Errors: OAuthError. A message has no token, code or secret.
 */
import { createHash } from 'node:crypto';
import type { Audit } from '../audit/audit';
import type { AgentTokens } from '../keys/agent-tokens';
import { randomBase62 } from '../keys/base62';
import { isActive, type KeyRing } from '../keys/key-ring';
import { isEqual, type Signer } from '../keys/signer';
import { sha256Hex } from '../lib/sha256-hex';
import type { GrantRecord, OAuthStore } from '../store/oauth-store';
import type { KeyRecord } from '../store/store';
import { authenticateClient } from './client-authentication';
import { type CodeRequest, readCodeRequest } from './code';
import { OAuthError } from './oauth-error';
import { type RefreshToken, readRefreshToken, toRefreshToken } from './refresh-token';
import { requireOwnResource } from './resources';
import { uniqueParameters } from './unique-parameters';

/** Two nodes may get one code in the same moment, from one client that sends twice: no sign of theft. */
const SAME_MOMENT_MS = 10_000;
/** Some clients send one refresh token from two machines, or do not store the answer: the last one is good again for so long. */
const REFRESH_GRACE_MS = 300_000;
const DAY_MS = 86_400_000;
const IDLE_MS = 30 * DAY_MS;
const LIFE_MS = 365 * DAY_MS;
/** Sign-ins of one app that a person may have at a time; the oldest ends. */
const MAX_GRANTS = 20;

export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  scope?: string;
}

export interface TokenEndpointDeps {
  signer: Signer;
  store: OAuthStore;
  keys: Pick<KeyRing, 'find'>;
  tokens: Pick<AgentTokens, 'mintForGrant' | 'grantOf'>;
  audit: Audit;
  accessTokenSeconds: number;
}

/** A request of the token or the revocation endpoint. */
export interface FormRequest {
  form: URLSearchParams;
  authorization: string | undefined;
}

export class TokenEndpoint {
  readonly #deps: TokenEndpointDeps;

  constructor(deps: TokenEndpointDeps) {
    this.#deps = deps;
  }

  /** @param origins that a `resource` may name */
  async exchange({ form, authorization }: FormRequest, origins: readonly string[]): Promise<TokenAnswer> {
    const parameters = uniqueParameters(form);
    const clientHash = authenticateClient(parameters, authorization, this.#deps.signer);
    requireOwnResource(form, origins);
    const grantType = required(parameters, 'grant_type');
    if (grantType === 'authorization_code') return this.#exchangeCode(parameters, clientHash);
    if (grantType === 'refresh_token') return this.#refresh(required(parameters, 'refresh_token'), clientHash);
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }

  /** RFC 7009: ends the grant of a token. Accepts any text that is not a token of this client. */
  async revoke({ form, authorization }: FormRequest): Promise<void> {
    const { signer, store, tokens } = this.#deps;
    const parameters = uniqueParameters(form);
    const clientHash = authenticateClient(parameters, authorization, signer);
    const token = required(parameters, 'token');
    const grantId = readRefreshToken(token, signer)?.grantId ?? (await tokens.grantOf(token));
    const grant = grantId === undefined ? undefined : await store.grant(grantId);
    if (grant?.clientHash === clientHash) await store.endGrant(grant.id, Date.now());
  }

  async #exchangeCode(parameters: ReadonlyMap<string, string>, clientHash: string): Promise<TokenAnswer> {
    const { store } = this.#deps;
    const hash = sha256Hex(required(parameters, 'code'));
    const record = await store.code(hash);
    if (!record) throw invalidGrant('This service did not give out the code, or it is too old');
    const request = readCodeRequest(record);
    if (request.clientHash !== clientHash) throw invalidGrant('The code is of another client');
    if (request.redirectUri !== undefined && request.redirectUri !== parameters.get('redirect_uri'))
      throw invalidGrant('redirect_uri is another one than that of the request for the code');
    if (!isEqual(challengeOf(parameters.get('code_verifier') ?? ''), request.challenge)) throw invalidGrant('code_verifier is wrong');
    const now = Date.now();
    const grantId = randomBase62(20);
    if (record.usedAt === null && record.expiresAt <= now) throw invalidGrant('The code has expired: sign in again');
    if (!(await store.useCode(hash, { at: now, grantId }))) {
      await this.#endStolen(hash);
      throw invalidGrant('The code was used before: sign in again');
    }
    const key = await this.#activeKey(request.keyId);
    await this.#endOldest(key.id);
    await store.addGrant(newGrant(grantId, request, now));
    return { ...(await this.#answer({ grantId, generation: 0 }, request.personId, key)), scope: request.scope };
  }

  async #refresh(text: string, clientHash: string): Promise<TokenAnswer> {
    const { store, signer } = this.#deps;
    const token = readRefreshToken(text, signer);
    if (!token) throw invalidGrant('This is not a refresh token of this service');
    const grant = await store.grant(token.grantId);
    if (!grant || grant.clientHash !== clientHash) throw invalidGrant('The refresh token is of another client, or its sign-in is gone');
    const key = await this.#activeKey(grant.keyId);
    const { generation } = token;
    const now = Date.now();
    const isNext = await store.rotateGrant(grant.id, { from: generation, at: now, idleUntil: now + IDLE_MS });
    if (!isNext && !(await this.#isRepeated(token, key))) throw invalidGrant('This sign-in has ended: sign in again');
    return this.#answer({ grantId: grant.id, generation: generation + 1 }, grant.personId, key);
  }

  /** True for the token before the present one within the time of grace. Ends the grant for an older one. */
  async #isRepeated({ grantId, generation }: RefreshToken, key: KeyRecord): Promise<boolean> {
    const { store } = this.#deps;
    const grant = await store.grant(grantId);
    const now = Date.now();
    if (!grant || generation >= grant.generation || !(await store.useGrant(grantId, now))) return false;
    if (generation === grant.generation - 1 && now - grant.rotatedAt <= REFRESH_GRACE_MS) return true;
    await this.#endReplayed(grantId, key, 'a refresh token that was replaced before');
    return false;
  }

  /** Ends the grant of a code that comes again later than one client would send it. */
  async #endStolen(hash: string): Promise<void> {
    const used = await this.#deps.store.code(hash);
    if (!used?.grantId || used.usedAt === null || Date.now() - used.usedAt < SAME_MOMENT_MS) return;
    const key = await this.#deps.keys.find(readCodeRequest(used).keyId);
    if (key) await this.#endReplayed(used.grantId, key, 'a code that was used before');
  }

  async #endReplayed(grantId: string, { id, name }: KeyRecord, sent: string): Promise<void> {
    const { store, audit } = this.#deps;
    if (await store.endGrant(grantId, Date.now())) await audit.write({ kind: 'key', id, name }, 'app.replay', id, { name, sent });
  }

  async #activeKey(id: string): Promise<KeyRecord> {
    const key = await this.#deps.keys.find(id);
    if (!key || !isActive(key)) throw invalidGrant('The app was disconnected: sign in again');
    return key;
  }

  async #endOldest(keyId: string): Promise<void> {
    const { store } = this.#deps;
    const grants = await store.grantsOf([keyId]);
    for (const { id } of grants.slice(0, Math.max(0, grants.length - MAX_GRANTS + 1))) await store.endGrant(id, Date.now());
  }

  async #answer(next: RefreshToken, userId: string, key: KeyRecord): Promise<TokenAnswer> {
    const { tokens, signer, accessTokenSeconds: ttlSeconds } = this.#deps;
    const { token } = await tokens.mintForGrant(key, { grantId: next.grantId, userId, ttlSeconds });
    return { access_token: token, token_type: 'Bearer', expires_in: ttlSeconds, refresh_token: toRefreshToken(next, signer) };
  }
}

function newGrant(id: string, { keyId, personId, clientHash, client }: CodeRequest, now: number): GrantRecord {
  return {
    ...{ id, keyId, personId, clientHash, client: JSON.stringify(client) },
    ...{ generation: 0, createdAt: now, rotatedAt: now, usedAt: now },
    ...{ idleUntil: now + IDLE_MS, expiresAt: now + LIFE_MS, endedAt: null },
  };
}

/** RFC 7636 section 4.6. */
function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function required(parameters: ReadonlyMap<string, string>, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `The request has no ${name}`);
  return value;
}

function invalidGrant(message: string): OAuthError {
  return new OAuthError('invalid_grant', message);
}
