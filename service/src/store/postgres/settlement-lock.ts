/**
 * The lock of the node that settles, an advisory lock of one connection. All queries of the settlement use that connection: when it is lost, the
 * server gives the lock to another node, and the next query here rejects.
 */
import { sql } from 'kysely';
import { SqlLedger } from '../sql/ledger';
import type { UnsettledEntries } from '../store';
import { type Connections, postgresKysely } from './connection';
import { SETTLING } from './lock';

const LOCK = sql.raw(SETTLING);

/** @param saved resolves when the table has every entry of this node */
export function withSettlementLock(
  connections: Connections,
  saved: () => Promise<void>,
  work: (ledger: UnsettledEntries) => Promise<void>,
): Promise<boolean> {
  return postgresKysely(connections)
    .connection()
    .execute(async (connection) => {
      const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${LOCK}) as locked`.execute(connection);
      if (!rows[0]?.locked) return false;
      try {
        await work(new SqlLedger(connection, saved));
      } finally {
        // A lost connection has lost its lock.
        await sql`select pg_advisory_unlock(${LOCK})`.execute(connection).catch(() => {});
      }
      return true;
    });
}
