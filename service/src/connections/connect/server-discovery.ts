/**
 * Finds the authorization server of a remote MCP server, and registers the service there.
 *
 * Errors: ProviderError.
 * Source: MCP, revision 2025-11-25, "Authorization"; RFC 9728 (resource metadata), RFC 8414 (server metadata), RFC 7591 (registration).
 */
import * as oauth from 'oauth4webapi';
import type { GuardedFetch } from '../../lib/guarded-fetch';
import type { ClientAuthMethod, ProviderClient, ProviderEndpoints } from '../provider';
import { ProviderError, providerFailure } from '../provider-error';
import { reachProvider } from '../reach-provider';

export interface DiscoveredServer extends ProviderEndpoints {
  issuer: string;
  /** The resource whose tokens the MCP server takes, RFC 8707. */
  resource: string;
  scopes: string[];
  registrationUrl?: string | undefined;
  /** The server reads client ID metadata documents. */
  readsDocuments: boolean;
  authMethod: ClientAuthMethod;
}

export interface NewRegistration {
  name: string;
  redirectUri: string;
}

/** `ping` needs no session: a server that wants a sign-in refuses it before it reads it. */
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const WELL_KNOWN_RESOURCE = '/.well-known/oauth-protected-resource';

export class ServerDiscovery {
  readonly #fetch: GuardedFetch;

  constructor(fetch: GuardedFetch) {
    this.#fetch = fetch;
  }

  async discover(server: string): Promise<DiscoveredServer> {
    const challenge = await this.#challenge(server);
    const resource = await this.#resource(server, challenge.metadataUrl);
    const issuer = resource?.authorization_servers?.[0] ?? new URL(server).origin;
    const metadata = await this.#metadata(server, issuer);
    const scopes = challenge.scopes ?? resource?.scopes_supported ?? [];
    const canStay = metadata.scopes_supported?.includes('offline_access') && scopes.length > 0;
    return {
      issuer: metadata.issuer,
      resource: resource?.resource ?? server,
      authorizationUrl: required(server, metadata, 'authorization_endpoint'),
      tokenUrl: required(server, metadata, 'token_endpoint'),
      revocationUrl: metadata.revocation_endpoint,
      registrationUrl: metadata.registration_endpoint,
      sendsIssuer: metadata.authorization_response_iss_parameter_supported === true,
      readsDocuments: metadata.client_id_metadata_document_supported === true,
      authMethod: authMethodOf(metadata),
      scopes: [...new Set([...scopes, ...(canStay ? ['offline_access'] : [])])],
    };
  }

  /** Registers the service as a client of this name. */
  async register(
    { issuer, registrationUrl, authMethod }: DiscoveredServer,
    { name, redirectUri }: NewRegistration,
  ): Promise<ProviderClient> {
    const { host } = new URL(issuer);
    if (registrationUrl === undefined)
      throw new ProviderError(
        `${host} lets no client register itself. The toolkit's owner has to register one there, and to set its id (svc-service connections client)`,
        { mender: 'owner' },
      );
    const metadata = {
      client_name: name,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: METHOD_NAMES[authMethod],
      application_type: redirectUri.startsWith('https:') ? 'web' : 'native',
    };
    const server = { issuer, registration_endpoint: registrationUrl };
    const options = { [oauth.customFetch]: this.#fetch, [oauth.allowInsecureRequests]: true };
    const answer = await reachProvider(registrationUrl, () => oauth.dynamicClientRegistrationRequest(server, metadata, options));
    try {
      const client = await oauth.processDynamicClientRegistrationResponse(answer);
      const secret = typeof client.client_secret === 'string' ? client.client_secret : undefined;
      const method = client.token_endpoint_auth_method ?? METHOD_NAMES[authMethod];
      return {
        clientId: client.client_id,
        ...(secret !== undefined && { clientSecret: secret }),
        authMethod: secret === undefined ? 'none' : method === METHOD_NAMES.post ? 'post' : 'basic',
      };
    } catch (error) {
      throw new ProviderError(
        `${host} refused to register the service as a client (${answer.status}). The toolkit's owner has to register one there, and to set its id`,
        { mender: 'owner' },
        { cause: error },
      );
    }
  }

  /** The answer of the server to a request without a token. */
  async #challenge(server: string): Promise<{ metadataUrl?: string | undefined; scopes?: string[] | undefined }> {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const answer = await reachProvider(server, () => this.#fetch(server, { method: 'POST', headers, body: PING }));
    const header = answer.status === 401 ? (answer.headers.get('www-authenticate') ?? '') : '';
    const scope = /\bscope="([^"]+)"/i.exec(header)?.[1];
    return { metadataUrl: /\bresource_metadata="([^"]+)"/i.exec(header)?.[1], scopes: scope?.split(' ').filter(Boolean) };
  }

  /** Undefined for a server of the time before RFC 9728. */
  async #resource(server: string, stated: string | undefined): Promise<oauth.ResourceServer | undefined> {
    const { origin, pathname } = new URL(server);
    const usual = [...(pathname === '/' ? [] : [`${origin}${WELL_KNOWN_RESOURCE}${pathname}`]), `${origin}${WELL_KNOWN_RESOURCE}`];
    for (const url of stated === undefined ? usual : [stated]) {
      const found = await this.#json(url);
      if (!found) continue;
      const resource = typeof found.resource === 'string' ? found.resource : '';
      if (!isResourceOf(resource, server)) throw mismatch(server, `its metadata are those of another resource`);
      return {
        ...found,
        resource,
        authorization_servers: texts(found.authorization_servers),
        scopes_supported: texts(found.scopes_supported),
      };
    }
    if (stated !== undefined) throw mismatch(server, 'the metadata that it names cannot be read');
    return undefined;
  }

  async #metadata(server: string, issuer: string): Promise<oauth.AuthorizationServer> {
    const url = URL.parse(issuer);
    if (!url || !/^https?:$/.test(url.protocol)) throw mismatch(server, 'its metadata name no authorization server');
    for (const address of metadataUrls(url)) {
      const found = await this.#json(address);
      if (!found) continue;
      const metadata = await oauth.processDiscoveryResponse(url, Response.json(found)).catch((error: unknown) => {
        throw mismatch(url.host, 'its metadata are those of another issuer', error);
      });
      const methods = metadata.code_challenge_methods_supported;
      if (methods && !methods.includes('S256')) throw mismatch(url.host, 'it has no PKCE with S256');
      return metadata;
    }
    throw mismatch(server, `${url.host}, its authorization server, publishes no metadata`);
  }

  /** Undefined for an address without JSON. */
  async #json(address: string): Promise<Record<string, unknown> | undefined> {
    const url = URL.parse(address);
    if (!url) return undefined;
    const answer = await reachProvider(url.href, () => this.#fetch(url, { headers: { accept: 'application/json' } }));
    if (answer.status >= 500) throw providerFailure(url.host, `answered ${answer.status}`);
    if (!answer.ok) return undefined;
    const json: unknown = await answer.json().catch(() => undefined);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : undefined;
  }
}

const METHOD_NAMES = { basic: 'client_secret_basic', post: 'client_secret_post', none: 'none' } as const;

/** RFC 8414 section 3.1, and the place of OpenID Connect Discovery. */
function metadataUrls({ origin, pathname }: URL): string[] {
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
  ];
}

function authMethodOf({
  token_endpoint_auth_methods_supported: methods = [METHOD_NAMES.basic],
}: oauth.AuthorizationServer): ClientAuthMethod {
  if (methods.includes(METHOD_NAMES.basic)) return 'basic';
  return methods.includes(METHOD_NAMES.post) ? 'post' : 'none';
}

/** Same origin, and a path of which the server's is a part: a token for another resource must not be asked for. */
function isResourceOf(resource: string, server: string): boolean {
  const [one, other] = [URL.parse(resource), new URL(server)];
  if (one?.origin !== other.origin) return false;
  return other.pathname === one.pathname || `${other.pathname}/`.startsWith(one.pathname.endsWith('/') ? one.pathname : `${one.pathname}/`);
}

function required(server: string, metadata: oauth.AuthorizationServer, name: 'authorization_endpoint' | 'token_endpoint'): string {
  const url = metadata[name];
  if (url !== undefined && URL.canParse(url)) return url;
  throw mismatch(server, `its authorization server names no ${name}`);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function mismatch(where: string, reason: string, cause?: unknown): ProviderError {
  const host = URL.parse(where)?.host ?? where;
  return new ProviderError(`${host} cannot be signed in to: ${reason}`, { mender: 'provider' }, { cause });
}
