/** A PostgreSQL database as the source of an export and the target of an import. */
import { type ControlledTransaction, type Kysely, sql } from 'kysely';
import { SvcError } from '#sdk/protocol/errors';
import type { Tables } from '../sql/tables';
import { TABLES } from '../transfer/format';
import type { Source } from '../transfer/source';
import type { Target } from '../transfer/target';
import { Connections, loadPg, postgresKysely } from './connection';
import { readDatabaseUrl } from './database-address';
import { SERVING } from './lock';
import { openPostgresData } from './open';

/** Opens the database for an export. Nodes may be running on it. Rejects with NOT_FOUND when there are no data. */
export async function openPostgresSource(url: string): Promise<Source> {
  const { connections } = await connect(url, { create: false });
  const begin = (db: Kysely<Tables>) => db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  const { transaction, end } = await inTransaction(connections, begin);
  return { db: transaction, newerInvocations: [], newerLedger: [], close: end };
}

/** Creates the tables if they are missing. Rejects with INVALID_REQUEST when a node runs on the database. */
export async function openPostgresTarget(url: string): Promise<Target> {
  const { connections, shown } = await connect(url, { create: true });
  const { transaction, end } = await inTransaction(connections, (db) => db.startTransaction().execute());
  try {
    await requireNoNode(transaction, shown);
    // The command line can create keys without a node.
    await sql`lock table ${sql.join(TABLES.map(({ name }) => sql.table(name)))} in exclusive mode`.execute(transaction);
    return { name: shown, db: transaction, hasMore: false, commit: () => transaction.commit().execute(), close: end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function connect(url: string, { create }: { create: boolean }): Promise<{ connections: Connections; shown: string }> {
  // Migrates the tables, and reports problems with the database or its URL.
  await (await openPostgresData({ url, create })).close();
  const address = readDatabaseUrl(url);
  // The transaction uses the connection all the time, so its queries report every error.
  const onError = () => {};
  const connections = new Connections({ pg: await loadPg(), address, max: 1, refusal: { error: undefined }, onError });
  return { connections, shown: address.shown };
}

type Transaction = ControlledTransaction<Tables>;

async function inTransaction(connections: Connections, begin: (db: Kysely<Tables>) => Promise<Transaction>) {
  try {
    const transaction = await begin(postgresKysely(connections));
    const end = async () => {
      try {
        if (!transaction.isCommitted) await transaction.rollback().execute();
      } finally {
        await connections.close();
      }
    };
    return { transaction, end };
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/** Takes the service's lock, so that no node can start before the transaction ends. */
async function requireNoNode(db: Kysely<Tables>, shown: string): Promise<void> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${sql.raw(SERVING)}) as locked`.execute(db);
  if (rows[0]?.locked) return;
  throw new SvcError('INVALID_REQUEST', `A service runs on ${shown}: stop all of its nodes, or name another database`);
}
