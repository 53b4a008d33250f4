/**
 * Short-lived agent tokens, which a web page uses instead of an agent key. docs/protocol.md section 7. The access tokens of OAuth clients are such
 * tokens too: each names its grant, ends with it, and is accepted at `/mcp` alone.
 *
 * Shape:  `svc_token_<claims>.<mac>`, both base64url. Claims are JSON; the MAC is HMAC-SHA256 of all text before the point, with a secret
 *         of the service. Tokens are not stored, so every node accepts them. The key is looked up by id; `tag` is a MAC of the key's
 *         secret, so a token ends with the revocation, the expiry and the rotation of its key.
 * Errors: INVALID_KEY, KEY_EXPIRED and KEY_REVOKED as for a key, WRONG_KEY_KIND for an OAuth client elsewhere than at `/mcp`. A message names the
 *         key's id, never the token.
 */
import * as z from 'zod';
import { SvcError } from '#sdk/protocol/errors';
import type { CreatedToken, CreateTokenRequest } from '#sdk/protocol/http';
import { toTime } from '../lib/to-time';
import type { SettingStore } from '../store/console-store';
import type { OAuthStore } from '../store/oauth-store';
import type { KeyRecord } from '../store/store';
import { allowed } from './allowed';
import { commonAllow } from './common-allow';
import { GrantChecks } from './grant-checks';
import type { KeyRing } from './key-ring';
import { hashKey, TOKEN_PREFIX } from './key-text';
import { Signer } from './signer';

/** The key of a call. With a token, its allow list is narrowed to the token's. */
export interface CallingKey extends KeyRecord {
  token?: AcceptedToken;
  /** The person who uses the key in the console. */
  personId?: string;
  /** A person uses the key in the console: the request is in the records, and counts neither in rates nor as demand, nor is learned from. */
  origin?: 'console';
}

/** The claims of a verified token, and the hash of its key. */
export interface AcceptedToken {
  readonly keyId: string;
  readonly keyHash: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly allow: KeyRecord['allow'];
  readonly userId: string | undefined;
  /** The grant of the OAuth client that has the token. */
  readonly grantId?: string | undefined;
}

export interface GrantToken {
  grantId: string;
  userId: string;
  ttlSeconds: number;
}

export interface AgentTokensDeps {
  settings: Pick<SettingStore, 'putIfAbsent'>;
  oauth: Pick<OAuthStore, 'useGrant'>;
  keys: KeyRing;
}

const claims = z.object({
  key: z.string(),
  tag: z.string(),
  expiresAt: z.number(),
  allow: z.object({ toolkits: z.array(z.string()), actions: z.array(z.string()) }).optional(),
  userId: z.string().optional(),
  grant: z.string().optional(),
  for: z.literal('mcp').optional(),
});

type Claims = z.infer<typeof claims>;

/** An entry takes about half a kilobyte, and some kilobytes with long allow lists. */
const MAX_REMEMBERED = 10_000;

export class AgentTokens {
  readonly #settings: Pick<SettingStore, 'putIfAbsent'>;
  readonly #keys: KeyRing;
  readonly #grants: GrantChecks;
  /** Verified tokens by the hash of their text, so that a token is verified once. */
  readonly #accepted = new Map<string, AcceptedToken>();
  /** The last narrowed record of each token, with the key record that it was made from. */
  readonly #narrowed = new WeakMap<AcceptedToken, { from: KeyRecord; to: CallingKey }>();
  #signer: Promise<Signer> | undefined;

  constructor({ settings, oauth, keys }: AgentTokensDeps) {
    this.#settings = settings;
    this.#keys = keys;
    this.#grants = new GrantChecks(oauth);
  }

  /** @throws SvcError ACTION_NOT_ALLOWED for a name that the key may not use */
  async mint(key: KeyRecord, { ttlSeconds, allow, userId }: CreateTokenRequest): Promise<CreatedToken> {
    const { toolkits = [], actions = [] } = allow ?? {};
    const beyond = actions.find((id) => !allowed(key, id)) ?? toolkits.find((id) => key.allow !== null && !key.allow.toolkits.includes(id));
    if (beyond !== undefined)
      throw new SvcError(
        'ACTION_NOT_ALLOWED',
        `The key may not use "${beyond}", so a token of it cannot: name less, or ask for a wider key`,
      );
    return this.#sign(key, ttlSeconds, { allow: allow && { toolkits, actions }, userId });
  }

  /** The access token of an OAuth client. It ends with its grant, too. */
  mintForGrant(key: KeyRecord, { grantId, userId, ttlSeconds }: GrantToken): Promise<CreatedToken> {
    return this.#sign(key, ttlSeconds, { userId, grant: grantId, for: 'mcp' });
  }

  /**
   * Returns or throws synchronously for a token that was verified before.
   *
   * @param isMcp false refuses the tokens of OAuth clients
   */
  authenticate(text: string, isMcp: boolean): CallingKey | Promise<CallingKey> {
    const accepted = this.#accepted.get(hashKey(text));
    return accepted ? this.#admit(accepted, isMcp) : this.#accept(text).then((fresh) => this.#admit(fresh, isMcp));
  }

  /** The current key of a token. Errors as `authenticate`. */
  again(token: AcceptedToken): CallingKey | Promise<CallingKey> {
    const grant = token.grantId === undefined ? undefined : this.#grants.check(token.grantId, token.keyId);
    return grant ? grant.then(() => this.#keyOf(token)) : this.#keyOf(token);
  }

  #admit(token: AcceptedToken, isMcp: boolean): CallingKey | Promise<CallingKey> {
    if (token.grantId === undefined || isMcp) return this.again(token);
    throw new SvcError(
      'WRONG_KEY_KIND',
      `This token of key ${token.keyId} is for /mcp alone: a program that calls this route needs an agent key, or a token made from it`,
    );
  }

  async #sign(key: KeyRecord, ttlSeconds: number, more: Pick<Claims, 'allow' | 'userId' | 'grant' | 'for'>): Promise<CreatedToken> {
    const signer = await this.#openSigner();
    const expiresAt = Math.min(Date.now() + ttlSeconds * 1_000, key.expiresAt ?? Number.POSITIVE_INFINITY);
    const content: Claims = { key: key.id, tag: signer.mac(key.hash), expiresAt, ...more };
    const token = signer.sign(TOKEN_PREFIX + Buffer.from(JSON.stringify(content)).toString('base64url'));
    return { token, expiresAt: toTime(expiresAt) };
  }

  #keyOf(token: AcceptedToken): CallingKey | Promise<CallingKey> {
    const key = this.#keys.again({ hash: token.keyHash }, 'agent');
    return key instanceof Promise ? key.then((loaded) => this.#narrow(loaded, token)) : this.#narrow(key, token);
  }

  /** The key id of a token that was verified before. Undefined for an expired token: expiry is normal, and not a refusal of the key. */
  knownKeyId(text: string): string | undefined {
    const token = this.#accepted.get(hashKey(text));
    return token && token.expiresAt > Date.now() ? token.keyId : undefined;
  }

  /** The grant of a token that this service signed, expired or not. Undefined for any other text. */
  async grantOf(text: string): Promise<string | undefined> {
    return text.startsWith(TOKEN_PREFIX) ? readToken(text, await this.#openSigner())?.grant : undefined;
  }

  /** True for a token with a grant, live or not, and for a text that this service did not sign, such as a token of before a new token secret. */
  async isOfApp(text: string): Promise<boolean> {
    const read = readToken(text, await this.#openSigner());
    return read === undefined || read.grant !== undefined;
  }

  async #accept(text: string): Promise<AcceptedToken> {
    const signer = await this.#openSigner();
    const read = readToken(text, signer);
    if (!read) throw new SvcError('INVALID_KEY', 'This is not a token of this service: the text is cut, mistyped, or from another service');
    if (read.expiresAt <= Date.now()) throw expired(read.key, read.expiresAt);
    const key = await this.#keys.find(read.key);
    if (!key || signer.mac(key.hash) !== read.tag)
      throw new SvcError('INVALID_KEY', `Key ${read.key} of this token got another secret or does not exist any more: make a new token`);
    const { expiresAt, allow = null, userId, grant: grantId } = read;
    const token: AcceptedToken = { keyId: key.id, keyHash: key.hash, expiresAt, allow, userId, grantId };
    if (this.#accepted.size >= MAX_REMEMBERED) this.#accepted.delete(this.#accepted.keys().next().value ?? '');
    this.#accepted.set(hashKey(text), token);
    return token;
  }

  #narrow(key: KeyRecord, token: AcceptedToken): CallingKey {
    if (token.expiresAt <= Date.now()) throw expired(key.id, token.expiresAt);
    const known = this.#narrowed.get(token);
    if (known?.from === key) return known.to;
    const to: CallingKey = { ...key, allow: commonAllow(key.allow, token.allow), token };
    this.#narrowed.set(token, { from: key, to });
    return to;
  }

  /** A key that all nodes share for the states of this caller's calls, which MCP clients keep. */
  async stateKey(caller: string): Promise<string> {
    return (await this.#openSigner()).mac(`mcp-state ${caller}`);
  }

  #openSigner(): Promise<Signer> {
    this.#signer ??= Signer.open(this.#settings).catch((error: unknown) => {
      this.#signer = undefined;
      throw error;
    });
    return this.#signer;
  }
}

/** Undefined for a text that this service did not sign. */
function readToken(text: string, signer: Signer): Claims | undefined {
  const signed = signer.verify(text);
  return signed === undefined
    ? undefined
    : claims.parse(JSON.parse(Buffer.from(signed.slice(TOKEN_PREFIX.length), 'base64url').toString()));
}

function expired(keyId: string, expiresAt: number): SvcError {
  return new SvcError('KEY_EXPIRED', `This token of key ${keyId} expired at ${toTime(expiresAt)}: ask for a new one`);
}
