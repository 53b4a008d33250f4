/** Revokes accounts that their apps did not confirm. */
import type { FlowRecord } from '../../store/connect-store';
import type { StoredConnections } from '../stored-connections';
import type { FlowAccounts } from './flow-accounts';
import type { FlowSecrets } from './flow-secrets';

export interface ExpiredFlowsDeps {
  secrets: FlowSecrets;
  accounts: Pick<FlowAccounts, 'revoke'>;
  rows: StoredConnections;
}

export class ExpiredFlows {
  readonly #deps: ExpiredFlowsDeps;

  constructor(deps: ExpiredFlowsDeps) {
    this.#deps = deps;
  }

  /** @param flow already removed from the store */
  async revoke(flow: FlowRecord): Promise<void> {
    const { secrets, accounts, rows } = this.#deps;
    const connected = secrets.open(flow)?.connected;
    if (!connected) return;
    // Some providers end all access of the account with one token, also that of a connection which the user made since.
    const kept = await rows.store.ofOwner(flow.toolkitId, flow.owner);
    if (kept.length === 0) await accounts.revoke(flow, connected);
  }
}
