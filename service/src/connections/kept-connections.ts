/** The connections that the service keeps. Loaded with the first call or request that needs it. docs/connections.md. */
import type { Audit } from '../audit/audit';
import type { Catalog } from '../catalog/catalog';
import { guardedFetch } from '../lib/guarded-fetch';
import type { Store } from '../store/store';
import type { CallConnections } from './call-connections';
import { GrantRequests } from './grant-requests';
import { KeptCallConnections } from './kept-call-connections';
import { Provider } from './provider';
import { type Resealed, reseal } from './reseal';
import { Revocation } from './revocation';
import type { SecretKeys } from './secret-keys';
import { StoredConnections } from './stored-connections';
import { TokenRefresh } from './token-refresh';

const PROVIDER_DEADLINE_MS = 10_000;
const MAX_PROVIDER_BYTES = 1024 * 1024;

export interface KeptConnectionsDeps {
  store: Pick<Store, 'connections'>;
  keys: SecretKeys;
  catalog: Pick<Catalog, 'toolkit'>;
  audit: Audit;
  /** Hosts of providers that may have private addresses. */
  privateHosts: readonly string[];
}

export class KeptConnections {
  readonly rows: StoredConnections;
  readonly calls: CallConnections;
  readonly revocation: Revocation;

  constructor({ store, keys, catalog, audit, privateHosts }: KeptConnectionsDeps) {
    const provider = new Provider(guardedFetch({ privateHosts, deadlineMs: PROVIDER_DEADLINE_MS, maxBytes: MAX_PROVIDER_BYTES }));
    const grants = new GrantRequests(provider, { clientOf: async () => undefined });
    this.rows = new StoredConnections(store.connections, keys);
    this.revocation = new Revocation(this.rows, grants);
    const refresh = new TokenRefresh({ rows: this.rows, grants, audit });
    this.calls = new KeptCallConnections({ rows: this.rows, refresh, catalog, makeLink: async () => undefined });
  }

  reseal(): Promise<Resealed> {
    return reseal(this.rows);
  }
}
