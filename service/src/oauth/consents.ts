/**
 * The decision of a person about a client: the consent page shows the request, and a decision sends the person back to the client. An app gets one
 * agent key of the person, so its allow list, budget, records and revocation are those of keys.
 *
 * Errors: INVALID_REQUEST for a wrong client or redirect, NOT_PERMITTED where the owner's settings do not allow it.
 */
import type { Settings, AuthorizationRequest as ShownRequest } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import type { Budget } from '#sdk/protocol/http';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { toKeyInfo } from '../keys/key-info';
import { isActive, type KeyRing } from '../keys/key-ring';
import type { NewKeyRequest } from '../keys/new-key';
import { sha256Hex } from '../lib/sha256-hex';
import type { OAuthStore } from '../store/oauth-store';
import type { KeyRecord } from '../store/store';
import { type CheckedRequest, readAuthorizationRequest, type WrongRequest, withCode, withError } from './authorization-request';
import { type ClientFacts, factsOf, identityOf, shortened } from './client';
import type { Clients } from './clients';
import { makeCode } from './code';
import { OAuthError } from './oauth-error';
import { recipientOf } from './redirect-uris';

export interface AppLimits {
  allow?: NewKeyRequest['allow'];
  callsPerMinute?: number | undefined;
  budget?: Budget | undefined;
  rules?: NewKeyRequest['rules'];
}

/** The person who decides, and how their browser reached the service. */
export interface Decider {
  id: string;
  role: 'owner' | 'member';
  issuer: string;
  /** Origins that a `resource` may name. */
  origins: readonly string[];
}

export interface NewAppKey {
  limits: AppLimits;
  /** Id of the key whose limits the person saw, null for none. Undefined: the person takes any. */
  shownKey: string | null | undefined;
  /** Rejects where the person may have no more keys. */
  beforeNewKey(): Promise<void>;
}

export interface Consent {
  redirect: string;
  /** The key that was made or used, and the client. */
  key: KeyRecord;
  isNew: boolean;
  client: ClientFacts;
}

export interface ConsentsDeps {
  clients: Clients;
  keys: Pick<KeyRing, 'create' | 'records' | 'require'>;
  store: Pick<OAuthStore, 'addCode'>;
  settings: () => Pick<Settings, 'connectApps' | 'connectAppHosts'>;
}

const MAX_PLACE_CHARS = 40;

export class Consents {
  readonly #deps: ConsentsDeps;

  constructor(deps: ConsentsDeps) {
    this.#deps = deps;
  }

  async describe(query: string, decider: Decider): Promise<ShownRequest> {
    const request = await this.#read(query, decider);
    if ('problem' in request) return request;
    const client = factsOf(request.client, request.redirectUri);
    const key = await this.#keyOf(request, decider);
    return {
      client,
      redirectTo: recipientOf(request.redirectUri),
      keyName: key?.name ?? keyNameOf(client),
      ...(key && { key: toKeyInfo(key) }),
    };
  }

  async deny(query: string, decider: Decider): Promise<string> {
    const request = await this.#read(query, decider);
    return 'problem' in request ? request.redirect : withError(request, new OAuthError('access_denied', 'The person did not allow it'));
  }

  /** Makes the key, if the person has none for this client, and a code. Without a key: an error that goes back to the client. */
  async allow(query: string, decider: Decider, { limits, shownKey, beforeNewKey }: NewAppKey): Promise<Consent | { redirect: string }> {
    const request = await this.#read(query, decider);
    if ('problem' in request) return { redirect: request.redirect };
    const client = factsOf(request.client, request.redirectUri);
    const known = await this.#keyOf(request, decider);
    requireShown(shownKey, known);
    if (!known) await beforeNewKey();
    const made = known ? undefined : await this.#makeKey(request, client, decider, limits);
    const key = known ?? made ?? (await this.#requireKey(request, decider));
    if (!made) requireShown(shownKey, key);
    const { code, record } = makeCode({
      clientHash: sha256Hex(request.client.id),
      client,
      ...(request.statedRedirect !== undefined && { redirectUri: request.statedRedirect }),
      challenge: request.challenge,
      scope: request.scope,
      keyId: key.id,
      personId: decider.id,
    });
    await this.#deps.store.addCode(record);
    return { redirect: withCode(request, code), key, isNew: made !== undefined, client };
  }

  async #read(query: string, { role, issuer, origins }: Decider): Promise<CheckedRequest | WrongRequest> {
    const { connectApps, connectAppHosts } = this.#deps.settings();
    if (connectApps === 'off') throw new SvcError('NOT_PERMITTED', 'Apps cannot be connected here: an owner can allow it in the settings');
    if (connectApps === 'owners' && role !== 'owner')
      throw new SvcError('NOT_PERMITTED', 'Only owners may connect apps here: ask one of them');
    const request = await readAuthorizationRequest(query, { clients: this.#deps.clients, issuer, origins }).catch(toShownError);
    if ('problem' in request) return request;
    const { host } = factsOf(request.client, request.redirectUri);
    if (connectAppHosts.length > 0 && !connectAppHosts.includes(host))
      throw new SvcError('NOT_PERMITTED', `Apps of ${host} may not be connected here: an owner can allow the host in the settings`);
    return request;
  }

  async #keyOf({ client }: CheckedRequest, { id }: Decider): Promise<KeyRecord | undefined> {
    const clientId = identityOf(client);
    return (await this.#deps.keys.records(id)).find((key) => key.clientId === clientId && isActive(key));
  }

  /** Undefined if the person allowed the client at the same time elsewhere, such as in another tab. */
  async #makeKey(request: CheckedRequest, client: ClientFacts, { id }: Decider, limits: AppLimits): Promise<KeyRecord | undefined> {
    const { keys } = this.#deps;
    try {
      // The text of the key is dropped here: the app has tokens of the key, never the key.
      const made = await keys.create(
        { kind: 'agent', name: keyNameOf(client), ...limits },
        { ownerId: id, clientId: identityOf(request.client) },
      );
      return await keys.require(made.id);
    } catch (error) {
      if (SvcError.is(error) && error.code === 'CONFLICT') return undefined;
      throw error;
    }
  }

  async #requireKey(request: CheckedRequest, decider: Decider): Promise<KeyRecord> {
    const key = await this.#keyOf(request, decider);
    if (!key) throw new SvcError('CONFLICT', 'The app was disconnected in the same moment: try again');
    return key;
  }
}

function requireShown(shownKey: string | null | undefined, key: KeyRecord | undefined): void {
  if (shownKey === undefined || shownKey === (key?.id ?? null)) return;
  throw new SvcError('CONFLICT', 'The app was connected or disconnected after this page was opened: load the page again to see its limits');
}

/** Such as `Claude (claude.ai)`, within the length of a key's name. */
function keyNameOf({ name, host }: ClientFacts): string {
  const place = host.length > MAX_PLACE_CHARS ? `${host.slice(0, MAX_PLACE_CHARS - 1)}…` : host;
  return `${shortened(name, DEFAULT_LIMITS.toolkitNameChars - place.length - ' ()'.length)} (${place})`;
}

function toShownError(error: unknown): never {
  if (!(error instanceof OAuthError)) throw error;
  throw new SvcError('INVALID_REQUEST', `The app cannot be connected: ${error.message}`);
}
