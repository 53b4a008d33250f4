import type { Logger } from '../lib/logger';
import type { ConnectionStore } from '../store/connection-store';
import type { OpenConnections } from './open-connections';

const PER_TURN = 50;

export interface RevokeRemovedDeps {
  store: Pick<ConnectionStore, 'takeRemoved'>;
  openConnections: OpenConnections;
  logger: Logger;
}

/** Deletes the connections of removed toolkits, keys and people, informs their apps, and revokes their tokens, as far as the providers answer. */
export async function revokeRemoved({ store, openConnections, logger }: RevokeRemovedDeps): Promise<void> {
  const rows = await store.takeRemoved(PER_TURN);
  if (rows.length === 0) return;
  const { revocation, webhooks } = await openConnections();
  for (const row of rows) webhooks.changed(row, 'removed');
  const outcomes = await Promise.all(rows.map((row) => revocation.revoke(row)));
  logger.info(
    { connections: rows.length, revoked: outcomes.filter((outcome) => outcome === 'revoked').length },
    'connections were removed',
  );
}
