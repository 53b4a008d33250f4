/**
 * The OAuth clients of toolkits. The secret of a client goes only to the endpoints for which it was set: a toolkit that registers others gets it
 * nowhere else.
 *
 * Errors: ProviderError with mender `owner` when a toolkit has no usable client.
 */
import { toTime } from '../../lib/to-time';
import type { ConnectionClientRecord, ConnectStore } from '../../store/connect-store';
import type { SealedSecret } from '../../store/connection-store';
import type { ConnectedToolkit } from '../call-connections';
import type { GrantClients } from '../grant-requests';
import type { OAuthGrant } from '../kept-secret';
import type { ClientAuthMethod, ProviderClient, ProviderEndpoints } from '../provider';
import { ProviderError } from '../provider-error';
import { type Resealed, resealItems } from '../reseal';
import type { SecretKeys } from '../secret-keys';
import type { PageAddress } from './page-address';
import type { DiscoveredServer, ServerDiscovery } from './server-discovery';

/** A provider, and the toolkit's client there. */
export interface ToolkitProvider {
  endpoints: ProviderEndpoints;
  client: ProviderClient;
  scopes: readonly string[];
  resource?: string | undefined;
  /** The remote MCP server. */
  server?: string | undefined;
}

export interface NewClient {
  clientId: string;
  clientSecret?: string | undefined;
  authMethod?: ClientAuthMethod | undefined;
}

export interface ToolkitClient {
  clientId?: string;
  source?: ConnectionClientRecord['source'];
  authMethod?: ClientAuthMethod;
  hasSecret: boolean;
  /** The toolkit's redirect address, to be registered at the provider. Absent where the service does not know its own address. */
  callbackUrl?: string;
  /** Those that the toolkit registers now. */
  endpoints: Partial<StoredEndpoints>;
  /** Present when they are not those for which the client was set. */
  otherEndpoints?: true;
  changedAt?: string;
}

export interface ConnectionClientsDeps {
  store: ConnectStore;
  keys: SecretKeys;
  discovery: ServerDiscovery;
  address: PageAddress;
}

type StoredEndpoints = ProviderEndpoints & { server?: string | undefined; resource?: string | undefined };

export class ConnectionClients implements GrantClients {
  readonly #deps: ConnectionClientsDeps;
  /** Registrations of this process that run, by toolkit. */
  readonly #registering = new Map<string, Promise<ToolkitProvider>>();

  constructor(deps: ConnectionClientsDeps) {
    this.#deps = deps;
  }

  async get({ id, auth }: ConnectedToolkit): Promise<ToolkitClient> {
    const { store, address } = this.#deps;
    const record = await store.client(id);
    const callbackUrl = address.url && address.callbackUrl(id);
    const isOther = record !== undefined && !isFor(record, auth);
    return {
      ...(record && {
        clientId: record.clientId,
        source: record.source,
        authMethod: record.authMethod,
        changedAt: toTime(record.updatedAt),
      }),
      hasSecret: record?.secret !== null && record !== undefined,
      ...(callbackUrl !== undefined && { callbackUrl }),
      endpoints: auth.server === undefined ? statedEndpoints(auth) : { server: auth.server },
      ...(isOther && { otherEndpoints: true as const }),
    };
  }

  /** Sets the client that the toolkit's owner registered at the provider. */
  async set(
    { id, auth }: ConnectedToolkit,
    { clientId, clientSecret, authMethod = clientSecret === undefined ? 'none' : 'basic' }: NewClient,
  ) {
    const endpoints =
      auth.server === undefined ? statedEndpoints(auth) : toStored(auth.server, await this.#deps.discovery.discover(auth.server));
    await this.#put(id, 'owner', { clientId, clientSecret, authMethod }, endpoints);
  }

  remove(toolkitId: string): Promise<boolean> {
    return this.#deps.store.removeClient(toolkitId);
  }

  /** The provider to which a browser goes. Registers the service at an MCP server's where that is possible and not done. */
  async providerOf(toolkit: ConnectedToolkit): Promise<ToolkitProvider> {
    const { auth, id } = toolkit;
    if (auth.server !== undefined) return this.#ofServer(toolkit, auth.server);
    const record = await this.#deps.store.client(id);
    if (!record)
      throw new ProviderError(
        `The toolkit has no OAuth client yet: its owner has to set one, on the page of the toolkit or by svc-service connections client ${id}`,
        { mender: 'owner' },
      );
    if (!isFor(record, auth))
      throw new ProviderError(
        'The toolkit names other endpoints than those for which its client was set: its owner has to set the client again',
        {
          mender: 'owner',
        },
      );
    return { endpoints: statedEndpoints(auth), client: this.#clientOf(record), scopes: auth.scopes ?? [] };
  }

  async reseal(): Promise<Resealed> {
    const { store, keys } = this.#deps;
    const items = (await store.clientsSealedByOthers(keys.id)).map((record) => {
      const { toolkitId, secret } = record;
      return { secret, place: placeOf(record), replace: (seal: SealedSecret) => store.resealClient(toolkitId, secret, seal) };
    });
    return resealItems(items, keys);
  }

  async clientOf(toolkitId: string, { clientId, tokenUrl }: OAuthGrant): Promise<ProviderClient | undefined> {
    const record = await this.#deps.store.presentOrRemovedClient(toolkitId);
    if (!record) return undefined;
    if (record.clientId === clientId && endpointsOf(record).tokenUrl === tokenUrl) return this.#clientOf(record);
    // The provider ends such a grant at its next refresh; it gets no secret of another client before.
    throw new ProviderError('The toolkit has another client at its provider now: connect the account again', {
      mender: 'user',
      providerCode: 'invalid_grant',
    });
  }

  /** The service registers once for several people at once. */
  #ofServer(toolkit: ConnectedToolkit, server: string): Promise<ToolkitProvider> {
    const running =
      this.#registering.get(toolkit.id) ?? this.#discover(toolkit, server).finally(() => this.#registering.delete(toolkit.id));
    this.#registering.set(toolkit.id, running);
    return running;
  }

  async #discover(toolkit: ConnectedToolkit, server: string): Promise<ToolkitProvider> {
    const found = await this.#deps.discovery.discover(server);
    const endpoints = toStored(server, found);
    const record = await this.#deps.store.client(toolkit.id);
    const isSame = record !== undefined && isAt(endpointsOf(record), endpoints);
    if (record?.source === 'owner' && !isSame)
      throw new ProviderError(
        `${new URL(server).host} has another authorization server now: the toolkit's owner has to set the client again`,
        {
          mender: 'owner',
        },
      );
    const client = record && isSame ? this.#clientOf(record) : await this.#register(toolkit, found, endpoints);
    return { endpoints, client, scopes: toolkit.auth.scopes ?? found.scopes, resource: found.resource, server };
  }

  async #register({ id, name, auth }: ConnectedToolkit, found: DiscoveredServer, endpoints: StoredEndpoints): Promise<ProviderClient> {
    const { address, discovery } = this.#deps;
    const document = address.clientDocumentUrl(id);
    if (found.readsDocuments && document.startsWith('https:') && auth.registration !== 'dcr') {
      const client = { clientId: document, authMethod: 'none' as const };
      await this.#put(id, 'document', client, endpoints);
      return client;
    }
    const client = await discovery.register(found, { name: clientName(name), redirectUri: address.callbackUrl(id) });
    await this.#put(id, 'registered', client, endpoints);
    return client;
  }

  async #put(toolkitId: string, source: ConnectionClientRecord['source'], client: ProviderClient, stored: StoredEndpoints): Promise<void> {
    const { clientId, clientSecret, authMethod } = client;
    const endpoints = JSON.stringify(stored);
    const secret = clientSecret === undefined ? null : this.#deps.keys.seal(clientSecret, placeOf({ toolkitId, clientId, endpoints }));
    await this.#deps.store.putClient({ toolkitId, source, clientId, authMethod, secret, endpoints });
  }

  #clientOf(record: ConnectionClientRecord): ProviderClient {
    const { clientId, authMethod, secret } = record;
    if (secret === null) return { clientId, authMethod };
    const clientSecret = this.#deps.keys.open(secret, placeOf(record));
    if (clientSecret !== undefined) return { clientId, clientSecret, authMethod };
    throw new ProviderError("The service cannot read the secret of the toolkit's client any more: its owner has to set the client again", {
      mender: 'owner',
    });
  }
}

/** The name of the client at a provider, which the provider shows to people. */
export function clientName(toolkitName: string): string {
  return `svc: ${toolkitName}`;
}

/** A secret that is copied to another toolkit, client or provider does not open there. */
function placeOf({ toolkitId, clientId, endpoints }: Pick<ConnectionClientRecord, 'toolkitId' | 'clientId' | 'endpoints'>): string[] {
  return ['client', toolkitId, clientId, endpoints];
}

function statedEndpoints({ authorizationUrl = '', tokenUrl = '', revocationUrl, issuer }: ConnectedToolkit['auth']): StoredEndpoints {
  return { authorizationUrl, tokenUrl, ...(revocationUrl !== undefined && { revocationUrl }), ...(issuer !== undefined && { issuer }) };
}

function toStored(
  server: string,
  { authorizationUrl, tokenUrl, revocationUrl, issuer, sendsIssuer, resource }: DiscoveredServer,
): StoredEndpoints {
  return {
    authorizationUrl,
    tokenUrl,
    ...(revocationUrl !== undefined && { revocationUrl }),
    issuer,
    ...(sendsIssuer && { sendsIssuer }),
    server,
    resource,
  };
}

function endpointsOf({ endpoints }: Pick<ConnectionClientRecord, 'endpoints'>): StoredEndpoints {
  return JSON.parse(endpoints);
}

function isFor(record: ConnectionClientRecord, auth: ConnectedToolkit['auth']): boolean {
  const set = endpointsOf(record);
  return auth.server === undefined ? set.server === undefined && isAt(set, statedEndpoints(auth)) : set.server === auth.server;
}

/** True if the same parties get what is sent there. */
function isAt(one: StoredEndpoints, other: StoredEndpoints): boolean {
  const names = ['authorizationUrl', 'tokenUrl', 'revocationUrl', 'issuer', 'server', 'resource'] as const;
  return names.every((name) => one[name] === other[name]);
}
