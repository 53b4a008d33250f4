/**
 * Client ID metadata documents: the `client_id` is the address of a document that describes the client. It is read only for a person who has signed
 * in, so strangers cause no request, and only from public addresses, so that a document does not lead into the operator's network.
 *
 * Errors: OAuthError invalid_client.
 * Source: draft-ietf-oauth-client-id-metadata-document; MCP, revision 2025-11-25, "Client ID Metadata Documents".
 */
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { type GuardedFetch, GuardedFetchError, guardedFetch } from '../lib/guarded-fetch';
import type { Client } from './client';
import { OAuthError } from './oauth-error';
import { requireRedirectUri } from './redirect-uris';

const MAX_BYTES = 5_120;
const DEADLINE_MS = 5_000;
const KEPT_MS = 3_600_000;
const MAX_KEPT = 500;

const clientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().max(200).optional(),
  redirect_uris: z.array(z.string()).min(1).max(50),
  token_endpoint_auth_method: z.string().optional(),
  /** No member of RFC 7591: a client that prefers a signature names here what it does at other servers. */
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  client_secret: z.never('must not be there: a document is public').optional(),
});

export class ClientDocuments {
  readonly #fetch: GuardedFetch;
  readonly #read = new LRUCache<string, Client>({ max: MAX_KEPT, ttl: KEPT_MS });

  /** @param privateHosts hosts that may have private addresses */
  constructor(privateHosts: readonly string[]) {
    this.#fetch = guardedFetch({ privateHosts, deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES });
  }

  static isAddress(clientId: string): boolean {
    return /^https:/i.test(clientId);
  }

  async read(clientId: string): Promise<Client> {
    const known = this.#read.get(clientId);
    if (known) return known;
    const url = readAddress(clientId);
    const client = toClient(clientId, await this.#fetchText(url));
    this.#read.set(clientId, client);
    return client;
  }

  async #fetchText(url: URL): Promise<string> {
    const fail = (reason: string) => invalid(`The client's document ${url.href} cannot be read: ${reason}`);
    const response = await this.#fetch(url, { headers: { accept: 'application/json' } }).catch((error: unknown) => {
      throw error instanceof GuardedFetchError ? fail(error.message) : error;
    });
    if (response.status !== 200) throw fail(`it answered ${response.status}, and redirects are not followed`);
    return response.text();
  }
}

function readAddress(clientId: string): URL {
  const url = URL.parse(clientId);
  if (url?.protocol !== 'https:') throw invalid('The client id is not an https URL');
  if (url.username || url.password || clientId.includes('#')) throw invalid('A client id that is a URL has no credentials and no fragment');
  if (url.pathname === '/') throw invalid('A client id that is a URL has a path');
  if (url.href !== clientId) throw invalid(`The client id has another usual form: ${url.href}`);
  // Node looks up no name for an address, so the check of a lookup would not run.
  if (/^[\d.]+$|^\[/.test(url.hostname)) throw invalid('A client id that is a URL has a host name, not an address');
  return url;
}

function toClient(clientId: string, text: string): Client {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid(`The client's document ${clientId} is not JSON`);
  }
  const parsed = clientDocument.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`The client's document ${clientId} is not understood: ${issue?.path.join('.') || 'it'}: ${issue?.message}`);
  }
  const { client_id, client_name = '', redirect_uris, token_endpoint_auth_method: method = 'none', ...others } = parsed.data;
  if (client_id !== clientId) throw invalid(`The client's document ${clientId} is of another client`);
  if (method !== 'none' && !others.token_endpoint_auth_methods_supported?.includes('none'))
    throw invalid(
      `The client's document ${clientId} must offer token_endpoint_auth_method "none", which is the only one for documents here`,
    );
  for (const uri of redirect_uris) requireRedirectUri(uri);
  return { id: clientId, name: client_name, redirectUris: redirect_uris, authMethod: 'none', document: clientId };
}

function invalid(message: string): OAuthError {
  return new OAuthError('invalid_client', message);
}
