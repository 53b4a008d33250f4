/**
 * The store on one SQLite file. One process serves it; others (`svc-service keys …`) may read and write keys at the same time.
 *
 * Durable: resolved writes survive a crash of the process. A power loss may undo the last ones, without corrupting the data; with `full` it
 *          undoes none.
 * Errors:  INVALID_REQUEST for an unusable file, with the path and the remedy, and for a file that another service uses.
 */
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { utcDay } from '../../lib/utc-day';
import { CallBuffer } from '../call-buffer';
import { type CallQueries, newNodeId } from '../call-engine';
import { BufferedInvocations } from '../invocations';
import { type Versions, versionsFrom } from '../migrations';
import { SqlAccounts, SqlAudit, SqlSettings } from '../sql/accounts';
import { SqlCatalog, SqlSightings } from '../sql/catalog';
import { SqlCounts } from '../sql/counts';
import { type EvidenceEngine, SqlEvidence } from '../sql/evidence';
import { SqlInvocations } from '../sql/invocations';
import { SqlKeys, toKey } from '../sql/keys';
import { SqlLedger } from '../sql/ledger';
import { SqlSearchCounts } from '../sql/search-counts';
import { SqlSessionRequests } from '../sql/session-requests';
import type { Atomically, KeyRow, Tables } from '../sql/tables';
import { SqlVectors } from '../sql/vectors';
import type { Durability, ForeignChange, KeyRecord, Store, StoredData } from '../store';
import { CallReader } from './call-reader';
import { FileChanges } from './changes';
import { SqliteClaims } from './claims';
import { allInOne, BUSY_TIMEOUT_MS, directWriter, openFile, pragmas, sqliteKysely, transaction, type Write } from './connection';
import { SqliteEngine, saveFormerCalls } from './engine';
import { HeldPrices } from './hold-price';
import { readJournal, replayJournal } from './journal/entries';
import { Journal } from './journal/journal';
import { lockData } from './lock';
import { migrateSqliteFile, sqliteVersion } from './migrate';
import { keysAfter, SavedKeys } from './saved-keys';
import { DatabaseThread, inThread, threadKysely } from './thread';

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
    const { release, ...records } = await openRecords(tables, durability, onError);
    return {
      ...tables.shared,
      ...records,
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
  shared: Omit<
    Store,
    'invocations' | 'ledger' | 'counts' | 'searches' | 'sightings' | 'sessionRequests' | 'counter' | 'settling' | 'close'
  >;
}

async function openTables(path: string, durability: Durability, onError: (error: unknown) => void): Promise<OpenTables> {
  const where = path === IN_MEMORY ? path : resolve(path);
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
    evidence: new SqlEvidence(db, evidenceEngine(database, atomically)),
    vectors: new SqlVectors(db, atomically),
    // A single statement needs no lock on SQLite.
    accounts: new SqlAccounts(db, (change) => change(db)),
    audit: new SqlAudit(db),
    settings: new SqlSettings(db),
    // Other processes may change keys, which may create toolkits. Only the service changes actions.
    onForeignChange: (listener: (change: ForeignChange) => void) =>
      where === IN_MEMORY ? () => {} : changes.listen(() => listener({ keys: true, toolkits: 'new' })),
  };
  return { where, database, db, atomically, changes, shared };
}

/** Calls and their counts. For a file, a worker thread writes them. */
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
    const queries = new SqlInvocations(db, atomically, { node });
    const invocations = invocationsOf({ engine, queries, prices: new HeldPrices(), onError });
    return { invocations, ledger: new SqlLedger(db, () => invocations.saved()), ...countsOf(db, atomically), release: () => {} };
  }
  const release = await lockData(where);
  try {
    const path = `${where}-calls`;
    await saveJournaled(database, path);
    const reader = new CallReader(await openFile(where, () => {}), { holdsSnapshot: true });
    const savedKeys = new SavedKeys((last) => keysAfter(database, last), onError);
    const writer = new DatabaseThread(where, pragmas(durability));
    const abandoned = await new SqlInvocations(db, atomically).unfinished();
    const engine = new SqliteEngine({
      node,
      reader,
      writer,
      journal: new Journal(path, durability),
      savedKeys,
      abandoned,
    });
    const threadDb = threadKysely(writer);
    const queries = new SqlInvocations(threadDb, inThread(writer), { node });
    const invocations = invocationsOf({ engine, queries, prices: pricesIn(database), onError });
    const ledger = new SqlLedger(threadDb, () => invocations.saved());
    return { invocations, ledger, ...countsOf(threadDb, inThread(writer)), release };
  } catch (error) {
    release();
    throw error;
  }
}

interface InvocationParts {
  engine: SqliteEngine;
  queries: CallQueries;
  prices: HeldPrices;
  onError: (error: unknown) => void;
}

function invocationsOf({ engine, queries, prices, onError }: InvocationParts): BufferedInvocations {
  const buffer = new CallBuffer({ engine, onError });
  const claims = new SqliteClaims({ engine, buffer, prices, onError });
  return new BufferedInvocations({ engine, buffer, claims, queries });
}

/** Saves the calls that an earlier process left in the journal, before a new journal replaces it. */
async function saveJournaled(database: DatabaseSync, path: string): Promise<void> {
  const reader = new CallReader(database, { holdsSnapshot: false });
  const records = replayJournal(readJournal(path), (id) => reader.byId(id));
  await saveFormerCalls(database, records);
}

/** The sums of the days whose budgets calls may hold. */
function pricesIn(database: DatabaseSync): HeldPrices {
  const prices = new HeldPrices();
  const sums = database.prepare(`
    SELECT agent_key_id, day, CAST(sum(coalesce(charged, 0)) AS TEXT) AS charged,
      CAST(sum(CASE WHEN charged IS NULL THEN authorised ELSE 0 END) AS TEXT) AS held
    FROM ledger WHERE day >= ? GROUP BY day, agent_key_id ORDER BY day`);
  const rows = sums.all(utcDay(Date.now()) - 1) as { agent_key_id: string; day: number; charged: string; held: string }[];
  for (const { agent_key_id, day, charged, held } of rows) prices.load(day, agent_key_id, { charged: BigInt(charged), held: BigInt(held) });
  return prices;
}

/** Prepares the statement once: thousands of toolkits, each with its own key, may reconnect at the same time. */
function keyByHash(database: DatabaseSync): (hash: string) => Promise<KeyRecord | undefined> {
  const statement = database.prepare('SELECT * FROM keys WHERE hash = ?');
  return async (hash) => {
    const row = statement.get(hash) as KeyRow | undefined;
    return row && toKey(row);
  };
}

function countsOf(db: Kysely<Tables>, atomically: Atomically): Pick<Store, 'counts' | 'searches' | 'sightings' | 'sessionRequests'> {
  return {
    counts: new SqlCounts(db, atomically),
    searches: new SqlSearchCounts(db, atomically),
    sightings: new SqlSightings(db, atomically),
    sessionRequests: new SqlSessionRequests(db, atomically),
  };
}

function rethrow(error: unknown): never {
  throw error;
}

function evidenceEngine(database: DatabaseSync, atomically: Atomically): EvidenceEngine {
  // Set before the first write: otherwise each page that SQLite splits or frees keeps a copy of its content.
  database.exec('PRAGMA secure_delete = ON');
  return {
    updatesErase: false,
    async withoutWaiting(queries) {
      // Waiting for another process's lock would block the event loop.
      database.exec('PRAGMA busy_timeout = 0');
      try {
        await atomically(queries);
      } finally {
        database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      }
    },
    async erasing(queries) {
      if (queries.length > 0) await atomically(queries);
      // The write-ahead log still holds older pages.
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
  };
}
