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
import { newNodeId } from '../call-engine';
import { BufferedInvocations } from '../invocations';
import { type Versions, versionsFrom } from '../migrations';
import { SqlAccounts, SqlAudit, SqlSettings } from '../sql/accounts';
import { SqlCatalog, SqlSightings } from '../sql/catalog';
import { SqlCounts } from '../sql/counts';
import { type EvidenceEngine, SqlEvidence } from '../sql/evidence';
import { SqlInvocations } from '../sql/invocations';
import { SqlKeys, toKey } from '../sql/keys';
import { SqlSearchCounts } from '../sql/search-counts';
import type { Atomically, KeyRow, Tables } from '../sql/tables';
import { SqlVectors } from '../sql/vectors';
import type { Durability, ForeignChange, KeyRecord, Store, StoredData } from '../store';
import { FileChanges } from './changes';
import { allInOne, BUSY_TIMEOUT_MS, directWriter, openFile, pragmas, sqliteKysely, transaction, type Write } from './connection';
import { CallReader, SqliteEngine, saveFormerCalls } from './engine';
import { readJournal, replayJournal } from './journal/entries';
import { Journal } from './journal/journal';
import { lockData } from './lock';
import { migrateSqliteFile, sqliteVersion } from './migrate';
import { keysAfter, SavedKeys } from './saved-keys';
import { DatabaseThread, inThread, threadKysely } from './thread';

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
  shared: Omit<Store, 'invocations' | 'counts' | 'searches' | 'sightings' | 'counter' | 'close'>;
}

async function openTables(path: string, durability: Durability, onError: (error: unknown) => void): Promise<OpenTables> {
  const where = path === IN_MEMORY ? path : resolve(path);
  const database = await openFile(where, (opened) => migrateSqliteFile(opened, where), durability);
  const db = sqliteKysely(database);
  const changes = new FileChanges(database, onError);
  const told: Write = (write) => changes.tell(write);
  const toldDb = sqliteKysely(database, told);
  const atomically = allInOne(database, (write) => transaction(database, write));
  const shared = {
    node: newNodeId(),
    keys: new SqlKeys(toldDb, keyByHash(database)),
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

/** Calls and their counts. On a file they are the work of a thread. */
async function openRecords(
  { where, database, db, atomically, shared: { node } }: OpenTables,
  durability: Durability,
  onError: (error: unknown) => void,
) {
  if (where === IN_MEMORY) {
    const reader = new CallReader(database, { holdsSnapshot: false });
    const engine = new SqliteEngine({
      node,
      reader,
      writer: directWriter(database),
      journal: undefined,
      savedKeys: undefined,
      abandoned: [],
    });
    const queries = new SqlInvocations(db, atomically);
    const invocations = new BufferedInvocations({ engine, queries, onError });
    return { invocations, ...countsOf(db, atomically), release: () => {} };
  }
  const release = await lockData(where);
  try {
    const path = `${where}-calls`;
    await saveJournaled(database, path);
    const reader = new CallReader(await openFile(where, () => {}), { holdsSnapshot: true });
    const savedKeys = new SavedKeys((last) => keysAfter(database, last), onError);
    const writer = new DatabaseThread(where, pragmas(durability));
    const abandoned = await new SqlInvocations(db, atomically).unfinished();
    const engine = new SqliteEngine({ node, reader, writer, journal: new Journal(path, durability), savedKeys, abandoned });
    const threadDb = threadKysely(writer);
    const queries = new SqlInvocations(threadDb, inThread(writer));
    const invocations = new BufferedInvocations({ engine, queries, onError });
    return { invocations, ...countsOf(threadDb, inThread(writer)), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** What a former process left in the journal comes into the database before the journal is emptied. */
async function saveJournaled(database: DatabaseSync, path: string): Promise<void> {
  const reader = new CallReader(database, { holdsSnapshot: false });
  const records = replayJournal(readJournal(path), (id) => reader.byId(id));
  await saveFormerCalls(database, records);
}

/** With a statement that is prepared once: thousands of toolkits may come back at the same time, each with a key of its own. */
function keyByHash(database: DatabaseSync): (hash: string) => Promise<KeyRecord | undefined> {
  const statement = database.prepare('SELECT * FROM keys WHERE hash = ?');
  return async (hash) => {
    const row = statement.get(hash) as KeyRow | undefined;
    return row && toKey(row);
  };
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

function evidenceEngine(database: DatabaseSync, atomically: Atomically): EvidenceEngine {
  // From the first write on: otherwise each page that SQLite splits or frees keeps a copy of what stood in it.
  database.exec('PRAGMA secure_delete = ON');
  return {
    updatesErase: false,
    async withoutWaiting(queries) {
      // Waiting for another process's lock would hold up everything that this one does.
      database.exec('PRAGMA busy_timeout = 0');
      try {
        await atomically(queries);
      } finally {
        database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      }
    },
    async erasing(queries) {
      if (queries.length > 0) await atomically(queries);
      // Older pages are in the write-ahead log.
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
  };
}
