/** Opens the session of a node: it holds the service's lock, receives notifications of changes and sends heartbeats. */
import type * as Pg from 'pg';
import { CHANNEL, type NotifiedChanges } from './changes';
import { connect } from './client';
import { type Refusal, TIMEOUTS } from './connection';
import type { DatabaseAddress } from './database-address';
import { asUnavailable } from './errors';
import { lockRefusal } from './lock';
import { DatabaseSession, type NodeLife } from './session';

interface NodeSessionOptions {
  pg: typeof Pg;
  address: DatabaseAddress;
  refusal: Refusal;
  /** Whether other nodes may use the same data. */
  shared: boolean;
  life: NodeLife;
  changes: NotifiedChanges;
  onError: (error: unknown) => void;
}

export function openSession({ pg, address, refusal, shared, life, changes, onError }: NodeSessionOptions): Promise<DatabaseSession> {
  return DatabaseSession.open({
    connect: () => connect(pg, address, TIMEOUTS),
    async begin(client) {
      refusal.error = await lockRefusal(client, shared, address);
      if (refusal.error) throw refusal.error;
      client.on('notification', ({ payload }) => changes.notified(payload));
      await client.query(`LISTEN ${CHANNEL}`);
      await life.beat(client);
    },
    beat: (client) => life.beat(client),
    onReturn() {
      life.interrupted();
      changes.anything();
    },
    onError: (error) => onError(asUnavailable(error) ?? error),
  });
}
