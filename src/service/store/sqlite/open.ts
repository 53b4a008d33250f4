/**
 * The store on one SQLite file: one process serves it; others (`svc-sdk keys …`) may read and write keys beside it.
 *
 * Durable: what resolved survives the death of the process. After a power cut the last of it may be missing, the data is whole; with `full`
 *          nothing is missing.
 * Errors:  INVALID_REQUEST for a file that cannot be used, with the path and the cure, and for one that another service uses.
 */
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { type Versions, versionsFrom } from '../migrations';
import { newNodeId } from '../node-id';
import { SqlAccounts } from '../sql/accounts';
import { SqlAudit } from '../sql/audit';
import { SqlCatalog } from '../sql/catalog';
import { SqlCounts } from '../sql/counts';
import { SqlEvidence } from '../sql/evidence';
import { SqlInvocations } from '../sql/invocations';
import { SqlSearchCounts } from '../sql/search-counts';
import { SqlSettings } from '../sql/settings';
import { SqlSightings } from '../sql/sightings';
import type { Atomically, Tables } from '../sql/tables';
import { SqlVectors } from '../sql/vectors';
import type { Durability, ForeignChange, Store, StoredData } from '../store';
import { DirectWriter } from './batch-writer';
import { lockData } from './data-lock';
import { DatabaseThread } from './database-thread';
import { evidenceEngine } from './evidence-engine';
import { ForeignChanges } from './foreign-changes';
import { SqliteInvocations } from './invocations';
import { WrittenJournal } from './journal';
import { readJournal } from './journal-entry';
import { SqliteKeys } from './keys';
import { toKysely, toSqlite, type Write } from './kysely-database';
import { appliedVersion, migrate } from './migrate';
import { openFile, pragmas } from './open-file';
import { RecordReader } from './record-reader';
import { recordWriter } from './record-writer';
import { SavedKeys } from './saved-keys';
import { SyncedJournal } from './synced-journal';
import { inThread, threadKysely } from './thread-kysely';
import { transaction } from './transaction';

const IN_MEMORY = ':memory:';

export interface SqliteStoreOptions {
  /** A file, made when it is missing; its directory must exist. `:memory:` lasts until `close`. */
  path: string;
  /** Default `normal`. */
  durability?: Durability | undefined;
  /**
   * Hears of failures that no caller waits for: a batch of records was not written yet, the file cannot be watched.
   * Unless given, they are unhandled rejections or exceptions, which end the process.
   */
  onError?: (error: unknown) => void;
}

/** For a service: the only one on these data. */
export async function openSqliteStore({ path, durability = 'normal', onError = rethrow }: SqliteStoreOptions): Promise<Store> {
  const tables = await openTables(path, durability, onError);
  try {
    const { release, ...records } = await openRecords(tables, durability, onError);
    return {
      ...tables.shared,
      ...records,
      counter: ({ points, seconds }) => new RateLimiterMemory({ points, duration: seconds }),
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

/** Keys, catalogue and the like of data that a service may be running on. */
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

/** @param options.check only tells */
export async function migrateSqlite(path: string, { check }: { check: boolean }): Promise<Versions> {
  let versions: Versions | undefined;
  const database = await openFile(path, (opened) => {
    versions = versionsFrom(appliedVersion(opened, path) ?? 0, path);
    if (!check) migrate(opened, path);
  });
  database.close();
  return versions ?? { from: 0, to: 0 };
}

interface OpenTables {
  where: string;
  database: DatabaseSync;
  db: Kysely<Tables>;
  atomically: Atomically;
  changes: ForeignChanges;
  shared: Omit<Store, 'invocations' | 'counts' | 'searches' | 'sightings' | 'counter' | 'close'>;
}

async function openTables(path: string, durability: Durability, onError: (error: unknown) => void): Promise<OpenTables> {
  const where = path === IN_MEMORY ? path : resolve(path);
  const database = await openFile(where, (opened) => migrate(opened, where), durability);
  const db = toKysely(database);
  const changes = new ForeignChanges(database, onError);
  const told: Write = (write) => changes.tell(write);
  const toldDb = toKysely(database, told);
  const atomically = allInOne(database, (write) => transaction(database, write));
  const shared = {
    node: newNodeId(),
    keys: new SqliteKeys(database, toldDb),
    catalog: new SqlCatalog(toldDb, allInOne(database, told)),
    evidence: new SqlEvidence(db, evidenceEngine(database, atomically)),
    vectors: new SqlVectors(db, atomically),
    // One statement is alone on SQLite.
    accounts: new SqlAccounts(db, (change) => change(db)),
    audit: new SqlAudit(db),
    settings: new SqlSettings(db),
    // Beside a running service other processes change keys, which may bring toolkits; actions come through the service alone.
    onForeignChange: (listener: (change: ForeignChange) => void) =>
      where === IN_MEMORY ? () => {} : changes.listen(() => listener({ keys: true, toolkits: 'new' })),
  };
  return { where, database, db, atomically, changes, shared };
}

/** @param write runs them in one transaction */
function allInOne(database: DatabaseSync, write: Write): Atomically {
  return async (queries) => {
    const compiled = queries.map((query) => query.compile());
    write(() => {
      for (const { sql, parameters } of compiled) database.prepare(sql).run(...parameters.map(toSqlite));
    });
  };
}

/** Calls and their counts. On a file they are the work of a thread. */
async function openRecords(
  { where, database, db, atomically, shared: { node } }: OpenTables,
  durability: Durability,
  onError: (error: unknown) => void,
) {
  const here = {
    node,
    queries: new SqlInvocations(db, { atomically, knowsSizes: false }),
    reader: new RecordReader(database, { holdsSnapshot: false }),
    writer: recordWriter(new DirectWriter(database)),
    journal: undefined,
    left: [],
    abandoned: [],
    onError,
  };
  if (where === IN_MEMORY) return { invocations: new SqliteInvocations(here), ...countsOf(db, atomically), release: () => {} };
  const release = await lockData(where);
  try {
    const path = `${where}-calls`;
    // Into the database before the journal is emptied.
    await new SqliteInvocations({ ...here, left: readJournal(path) }).save();
    const reader = new RecordReader(await openFile(where, () => {}), { holdsSnapshot: true });
    const journal = durability === 'full' ? new SyncedJournal(path) : new WrittenJournal(path);
    const abandoned = await here.queries.unfinished();
    const savedKeys = new SavedKeys((last) => reader.keysAfter(last), onError);
    const thread = new DatabaseThread(where, pragmas(durability));
    const threadDb = threadKysely(thread);
    const queries = new SqlInvocations(threadDb, { atomically: inThread(thread), knowsSizes: false });
    const invocations = new SqliteInvocations({ ...here, queries, reader, writer: recordWriter(thread), journal, savedKeys, abandoned });
    return { invocations, ...countsOf(threadDb, inThread(thread)), release };
  } catch (error) {
    release();
    throw error;
  }
}

function countsOf(db: Kysely<Tables>, atomically: Atomically): Pick<Store, 'counts' | 'searches' | 'sightings'> {
  return {
    counts: new SqlCounts(db, atomically),
    searches: new SqlSearchCounts(db, atomically),
    sightings: new SqlSightings(db, atomically),
  };
}

function rethrow(error: unknown): never {
  throw error;
}
