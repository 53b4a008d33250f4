/** The connections that the service keeps. Loaded with the first call or request that needs it. docs/connections.md. */
import type { Audit } from '../audit/audit';
import type { Catalog } from '../catalog/catalog';
import type { KeyRing } from '../keys/key-ring';
import { guardedFetch } from '../lib/guarded-fetch';
import type { Logger } from '../lib/logger';
import type { Store } from '../store/store';
import type { CallConnections } from './call-connections';
import { announcedConnections } from './connect/announced-connections';
import { AppConnects } from './connect/app-connects';
import { AppWebhooks } from './connect/app-webhooks';
import { callLinks } from './connect/call-links';
import { Connect } from './connect/connect';
import type { ConnectLinks } from './connect/connect-links';
import { ConnectionClients } from './connect/connection-clients';
import type { PageAddress } from './connect/page-address';
import { ServerDiscovery } from './connect/server-discovery';
import { GrantRequests } from './grant-requests';
import { KeptCallConnections } from './kept-call-connections';
import { Provider } from './provider';
import { type Resealed, resealConnections, sumOf } from './reseal';
import { Revocation } from './revocation';
import type { SecretKeys } from './secret-keys';
import { StoredConnections } from './stored-connections';
import { TokenRefresh } from './token-refresh';

const PROVIDER_DEADLINE_MS = 10_000;
const MAX_PROVIDER_BYTES = 1024 * 1024;

export interface KeptConnectionsDeps {
  store: Pick<Store, 'connections' | 'connect' | 'accounts'>;
  keys: SecretKeys;
  catalog: Pick<Catalog, 'toolkit'>;
  keyRing: Pick<KeyRing, 'find' | 'records'>;
  audit: Audit;
  /** Hosts of providers and webhooks that may have private addresses. */
  privateHosts: readonly string[];
  address: PageAddress;
  /** People have accounts and sessions. */
  hasConsole: boolean;
  logger: Logger;
}

export class KeptConnections {
  readonly rows: StoredConnections;
  readonly calls: CallConnections;
  readonly revocation: Revocation;
  readonly refresh: TokenRefresh;
  readonly clients: ConnectionClients;
  readonly apps: AppConnects;
  readonly webhooks: AppWebhooks;
  readonly links: ConnectLinks;
  readonly connect: Connect;

  constructor(deps: KeptConnectionsDeps) {
    const { store, keys, catalog, audit, privateHosts, address, logger } = deps;
    const fetch = guardedFetch({ privateHosts, deadlineMs: PROVIDER_DEADLINE_MS, maxBytes: MAX_PROVIDER_BYTES });
    const provider = new Provider(fetch);
    this.apps = new AppConnects({ store: store.connect, keys, privateHosts });
    const webhooks = new AppWebhooks({ apps: this.apps, fetch, logger });
    this.webhooks = webhooks;
    this.clients = new ConnectionClients({ store: store.connect, keys, discovery: new ServerDiscovery(fetch), address });
    const grants = new GrantRequests(provider, this.clients);
    this.rows = new StoredConnections(announcedConnections(store.connections, webhooks), keys);
    this.revocation = new Revocation(this.rows, grants);
    this.connect = new Connect({ ...deps, rows: this.rows, clients: this.clients, apps: this.apps, webhooks, provider, grants });
    this.links = this.connect.links;
    this.refresh = new TokenRefresh({ rows: this.rows, grants, audit });
    this.calls = new KeptCallConnections({ rows: this.rows, refresh: this.refresh, catalog, makeLink: callLinks(this.links, address) });
  }

  async reseal(): Promise<Resealed> {
    return sumOf([await resealConnections(this.rows), await this.clients.reseal(), await this.apps.reseal()]);
  }
}
