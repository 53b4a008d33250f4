/**
 * The store on one SQLite file. One process serves it; others (`svc-service keys …`) may read and write keys at the same time.
 *
 * Durable: resolved writes survive a crash of the process. A power loss may undo the last ones, without corrupting the data; with `full` it
 *          undoes none.
 * Errors:  INVALID_REQUEST for an unusable file, with the path and the remedy, and for a file that another service uses.
 */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { newNodeId } from '../call-engine';
import { type Versions, versionsFrom } from '../migrations';
import { SqlAccounts, SqlAudit, SqlSettings } from '../sql/accounts';
import { SqlAlerts } from '../sql/alerts';
import { SqlCallApprovals } from '../sql/approvals';
import { SqlCatalog } from '../sql/catalog';
import { SqlConnect } from '../sql/connect';
import { processClock } from '../sql/connections';
import { SqlDetached } from '../sql/detached';
import { SqlEvidence } from '../sql/evidence';
import { foundBy } from '../sql/key-row';
import { SqlKeys } from '../sql/keys';
import { SqlOAuth } from '../sql/oauth';
import { SqlRuns } from '../sql/runs';
import { SqlSavedViews } from '../sql/saved-views';
import { SqlSystem } from '../sql/system';
import type { Atomically, KeyRow, Tables } from '../sql/tables';
import { SqlVectors } from '../sql/vectors';
import type { Durability, ForeignChange, KeyRecord, Store, StoredData } from '../store';
import { FileChanges } from './changes';
import { allInOne, openFile, sqliteKysely, transaction, type Write } from './connection';
import { SqliteConnections } from './connections';
import { sqliteEvidenceEngine } from './evidence-engine';
import { migrateSqliteFile, sqliteVersion } from './migrate';
import { openRecordsInFile, openRecordsInMemory, type RecordStores } from './open-records';

const IN_MEMORY = ':memory:';

export interface SqliteStoreOptions {
  /** A file, created if it is missing; its directory must exist. `:memory:` lasts until `close`. */
  path: string;
  /** Default: `normal`. */
  durability?: Durability | undefined;
  /**
   * Receives failures that no caller waits for: a batch of records was not written yet, the file cannot be watched.
   * Default: they become unhandled rejections or exceptions, which end the process.
   */
  onError?: (error: unknown) => void;
}

/** Opens the store for a service, which must be the only one on these data. */
export async function openSqliteStore({ path, durability = 'normal', onError = rethrow }: SqliteStoreOptions): Promise<Store> {
  const tables = await openTables(path, durability, onError);
  try {
    const { where, database, db, atomically, shared } = tables;
    const { node } = shared;
    const opened = { node: shared.node, database, db, atomically, onError };
    const { release, ...records } =
      where === IN_MEMORY ? openRecordsInMemory(opened) : await openRecordsInFile(opened, { path: where, durability });
    return {
      ...tables.shared,
      ...records,
      // Rows of another node are of an earlier process.
      detached: new SqlDetached(db, atomically, { node, now: processClock, isAbandoned: () => sql`(node IS NULL OR node <> ${node})` }),
      runs: new SqlRuns(db, atomically, { node, now: processClock, isAbandoned: () => sql`(node IS NULL OR node <> ${node})` }),
      counter: ({ points, seconds }) => new RateLimiterMemory({ points, duration: seconds }),
      async settling(work) {
        // The data belong to one process.
        await work(records.ledger);
        return true;
      },
      async close() {
        tables.changes.stop();
        try {
          await records.invocations.close();
        } finally {
          tables.database.close();
          release();
        }
      },
    };
  } catch (error) {
    tables.database.close();
    throw error;
  }
}

/** Opens all of the data but the calls. A service may be running on them. */
export async function openSqliteData({
  path,
  durability = 'normal',
  onError = rethrow,
}: SqliteStoreOptions): Promise<StoredData & Pick<Store, 'onForeignChange'>> {
  const { shared, changes, database } = await openTables(path, durability, onError);
  return {
    ...shared,
    async close() {
      changes.stop();
      database.close();
    },
  };
}

/** @param options.check only report the versions */
export async function migrateSqlite(path: string, { check }: { check: boolean }): Promise<Versions> {
  let versions: Versions | undefined;
  const database = await openFile(path, (opened) => {
    versions = versionsFrom(sqliteVersion(opened, path) ?? 0, path);
    if (!check) migrateSqliteFile(opened, path);
  });
  database.close();
  return versions ?? { from: 0, to: 0 };
}

interface OpenTables {
  where: string;
  database: DatabaseSync;
  db: Kysely<Tables>;
  atomically: Atomically;
  changes: FileChanges;
  shared: Omit<Store, keyof RecordStores | 'detached' | 'runs' | 'counter' | 'settling' | 'close'>;
}

async function openTables(path: string, durability: Durability, onError: (error: unknown) => void): Promise<OpenTables> {
  const where = path === IN_MEMORY ? path : resolve(path);
  const startsWithEmptyLog = !existsSync(`${where}-wal`);
  const database = await openFile(where, (opened) => migrateSqliteFile(opened, where), durability);
  const db = sqliteKysely(database);
  const changes = new FileChanges(database, onError);
  const notifying: Write = (write) => changes.notifyAfter(write);
  const notifyingDb = sqliteKysely(database, notifying);
  const atomically = allInOne(database, (write) => transaction(database, write));
  const shared = {
    node: newNodeId(),
    keys: new SqlKeys(notifyingDb, keyByHash(database)),
    catalog: new SqlCatalog(notifyingDb, allInOne(database, notifying)),
    evidence: new SqlEvidence(db, sqliteEvidenceEngine({ database, db, atomically, startsWithEmptyLog })),
    vectors: new SqlVectors(db, atomically),
    // A single statement needs no lock on SQLite.
    accounts: new SqlAccounts(db, (change) => change(db)),
    audit: new SqlAudit(db),
    savedViews: new SqlSavedViews(db),
    settings: new SqlSettings(db),
    oauth: new SqlOAuth(db),
    connections: new SqliteConnections(database, db),
    connect: new SqlConnect(db, processClock),
    approvals: new SqlCallApprovals(db, processClock),
    alerts: new SqlAlerts(db, atomically, processClock),
    system: new SqlSystem(db, {
      kind: where === IN_MEMORY ? 'memory' : 'sqlite',
      now: processClock,
      bytes: () => fileBytes(database, where),
    }),
    // Other processes may change keys, which may create toolkits. Only the service changes actions.
    onForeignChange: (listener: (change: ForeignChange) => void) =>
      where === IN_MEMORY ? () => {} : changes.listen(() => listener({ keys: true, toolkits: 'new' })),
  };
  return { where, database, db, atomically, changes, shared };
}

/** The pages of the database, and what its log and the journal of calls add to them. */
async function fileBytes(database: DatabaseSync, where: string): Promise<number> {
  const { bytes } = database.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()').get() ?? {};
  if (where === IN_MEMORY) return Number(bytes);
  return [`${where}-wal`, `${where}-calls`].reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    Number(bytes),
  );
}

/** Prepares the statement once: thousands of toolkits, each with its own key, may reconnect at the same time. */
function keyByHash(database: DatabaseSync): (hash: string) => Promise<KeyRecord | undefined> {
  const statement = database.prepare('SELECT * FROM keys WHERE hash = ?');
  const former = database.prepare('SELECT * FROM keys WHERE former_hash = ?');
  return async (hash) => {
    const row = (statement.get(hash) ?? former.get(hash)) as KeyRow | undefined;
    return row && foundBy(hash, row);
  };
}

function rethrow(error: unknown): never {
  throw error;
}
