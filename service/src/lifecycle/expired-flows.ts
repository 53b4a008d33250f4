import type { ConnectStore } from '../store/connect-store';
import type { OpenConnections } from './open-connections';

const PER_TURN = 50;

export interface RemoveExpiredFlowsDeps {
  store: Pick<ConnectStore, 'takeExpired'>;
  openConnections: OpenConnections;
}

/** Removes links and flows that expired, and revokes accounts that no app confirmed. */
export async function removeExpiredFlows({ store, openConnections }: RemoveExpiredFlowsDeps): Promise<void> {
  const awaited = (await store.takeExpired(PER_TURN)).filter(({ status }) => status === 'awaiting');
  if (awaited.length === 0) return;
  const { connect } = await openConnections();
  await Promise.all(awaited.map((flow) => connect.expired.revoke(flow)));
}
