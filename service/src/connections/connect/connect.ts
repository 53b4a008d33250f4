/** The parts of the connect page, and what apps and people ask of it. docs/connections.md. */
import type { Audit } from '../../audit/audit';
import type { Catalog } from '../../catalog/catalog';
import type { KeyRing } from '../../keys/key-ring';
import type { Logger } from '../../lib/logger';
import type { Store } from '../../store/store';
import type { GrantRequests } from '../grant-requests';
import type { Provider } from '../provider';
import type { SecretKeys } from '../secret-keys';
import type { StoredConnections } from '../stored-connections';
import type { AppConnects } from './app-connects';
import type { AppWebhooks } from './app-webhooks';
import { ConnectFlows } from './connect-flows';
import { ConnectLinks } from './connect-links';
import type { ConnectionClients } from './connection-clients';
import { ExpiredFlows } from './expired-flows';
import { FlowAccounts } from './flow-accounts';
import { FlowSecrets } from './flow-secrets';
import { LinkPage } from './link-page';
import { Openers } from './openers';
import type { PageAddress } from './page-address';
import { UserConfirmations } from './user-confirmations';

export interface ConnectDeps {
  store: Pick<Store, 'connect' | 'accounts'>;
  keys: SecretKeys;
  rows: StoredConnections;
  clients: ConnectionClients;
  apps: AppConnects;
  webhooks: AppWebhooks;
  provider: Provider;
  grants: GrantRequests;
  catalog: Pick<Catalog, 'toolkit'>;
  keyRing: Pick<KeyRing, 'find' | 'records'>;
  audit: Audit;
  address: PageAddress;
  hasConsole: boolean;
  privateHosts: readonly string[];
  logger: Logger;
}

export class Connect {
  readonly address: PageAddress;
  readonly links: ConnectLinks;
  readonly page: LinkPage;
  readonly flows: ConnectFlows;
  readonly confirmations: UserConfirmations;
  readonly expired: ExpiredFlows;

  constructor(deps: ConnectDeps) {
    const { keyRing } = deps;
    const store = deps.store.connect;
    const secrets = new FlowSecrets(deps.keys);
    const accounts = new FlowAccounts(deps);
    const openers = new Openers({ ...deps, keys: keyRing });
    const shared = { ...deps, store, secrets, accounts, openers };
    this.address = deps.address;
    this.links = new ConnectLinks({ ...deps, store });
    this.page = new LinkPage({ ...shared, keys: keyRing, accounts: deps.store.accounts });
    this.flows = new ConnectFlows(shared);
    this.confirmations = new UserConfirmations(shared);
    this.expired = new ExpiredFlows(shared);
  }
}
