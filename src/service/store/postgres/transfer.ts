/** One PostgreSQL database as where an export comes from, and as where it goes to. */
import { type ControlledTransaction, type Kysely, sql } from 'kysely';
import { SvcError } from '../../../protocol/errors';
import type { Tables } from '../sql/tables';
import { TABLES } from '../transfer/format';
import type { Source, Target } from '../transfer/places';
import { Connections, loadPg, postgresKysely, readDatabaseUrl } from './connection';
import { SERVING } from './lock';
import { openPostgresData } from './open';

/** Nodes may be running on it. Rejects with NOT_FOUND when there are no data. */
export async function openPostgresSource(url: string): Promise<Source> {
  const { connections } = await connect(url, { create: false });
  const begin = (db: Kysely<Tables>) => db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  const { transaction, end } = await inTransaction(connections, begin);
  return { db: transaction, newerInvocations: [], close: end };
}

/** Its tables are made when they are missing. Rejects with INVALID_REQUEST when a node runs on it. */
export async function openPostgresTarget(url: string): Promise<Target> {
  const { connections, shown } = await connect(url, { create: true });
  const { transaction, end } = await inTransaction(connections, (db) => db.startTransaction().execute());
  try {
    await requireNoNode(transaction, shown);
    // Keys can be made without a node.
    await sql`lock table ${sql.join(TABLES.map(({ name }) => sql.table(name)))} in exclusive mode`.execute(transaction);
    return { name: shown, db: transaction, hasMore: false, commit: () => transaction.commit().execute(), close: end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function connect(url: string, { create }: { create: boolean }): Promise<{ connections: Connections; shown: string }> {
  // Brings the tables to this version, and tells what is wrong with the database or its URL.
  await (await openPostgresData({ url, create })).close();
  const place = readDatabaseUrl(url);
  // The transaction holds the connection from first to last, and hears what becomes of it.
  const onError = () => {};
  const connections = new Connections({ pg: await loadPg(), place, max: 1, refusal: { error: undefined }, onError });
  return { connections, shown: place.shown };
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

/** No node can begin to serve before the end of the transaction. */
async function requireNoNode(db: Kysely<Tables>, shown: string): Promise<void> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${sql.raw(SERVING)}) as locked`.execute(db);
  if (rows[0]?.locked) return;
  throw new SvcError('INVALID_REQUEST', `A service runs on ${shown}: stop all of its nodes, or name another database`);
}
