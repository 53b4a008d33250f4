/** Removes flows that expired, and revokes accounts that their apps did not confirm. */
import type { ConnectStore } from '../../store/connect-store';
import type { StoredConnections } from '../stored-connections';
import type { FlowAccounts } from './flow-accounts';
import type { FlowSecrets } from './flow-secrets';

const PER_TURN = 50;

export interface ExpiredFlowsDeps {
  store: Pick<ConnectStore, 'takeExpired'>;
  secrets: FlowSecrets;
  accounts: Pick<FlowAccounts, 'revoke'>;
  rows: StoredConnections;
}

export class ExpiredFlows {
  readonly #deps: ExpiredFlowsDeps;

  constructor(deps: ExpiredFlowsDeps) {
    this.#deps = deps;
  }

  async remove(): Promise<void> {
    const { store, secrets, accounts, rows } = this.#deps;
    for (const flow of await store.takeExpired(PER_TURN)) {
      const connected = flow.status === 'awaiting' ? secrets.open(flow)?.connected : undefined;
      if (!connected) continue;
      // Some providers end all access of the account with one token, also that of a connection which the user made since.
      const kept = await rows.store.ofOwner(flow.toolkitId, flow.owner);
      if (kept.length === 0) await accounts.revoke(flow, connected);
    }
  }
}
