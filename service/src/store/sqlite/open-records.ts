/** Opens calls, their ledger and their counts. On a file, a worker thread writes and queries them. */
import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { CallBuffer } from '../call-buffer';
import type { CallQueries } from '../call-engine';
import { BufferedInvocations } from '../invocations';
import { SqlCallerNumbers } from '../sql/callers';
import { SqlSightings } from '../sql/catalog';
import { SqlCounts } from '../sql/counts';
import { SqlInvocations } from '../sql/invocations';
import { SqlLedger } from '../sql/ledger';
import { SqlListings } from '../sql/listings';
import { SqlMisfits } from '../sql/misfits';
import { SqlSearchCounts } from '../sql/search-counts';
import { SqlSessionRequests } from '../sql/session-requests';
import { SqlSessionSums } from '../sql/session-sums';
import type { Atomically, Tables } from '../sql/tables';
import { SqlToolkitProfiles } from '../sql/toolkit-profiles';
import type { Durability, Store } from '../store';
import { CallReader } from './call-reader';
import { SqliteClaims } from './claims';
import { directWriter, openFile, pragmas } from './connection';
import { SqliteEngine, saveFormerCalls } from './engine';
import { HeldPrices, heldPricesIn } from './hold-price';
import { readJournal, replayJournal } from './journal/entries';
import { Journal } from './journal/journal';
import { lockData } from './lock';
import { keysAfter, SavedKeys } from './saved-keys';
import { DatabaseThread, inThread, threadKysely } from './thread';

type Counts = Pick<
  Store,
  'counts' | 'searches' | 'sightings' | 'misfits' | 'listings' | 'callers' | 'toolkitProfiles' | 'sessionRequests' | 'sessionSums'
>;

export interface RecordStores extends Counts {
  invocations: BufferedInvocations;
  ledger: SqlLedger;
  /** Lets another service use the data. */
  release(): void;
}

export interface RecordTables {
  node: string;
  database: DatabaseSync;
  db: Kysely<Tables>;
  atomically: Atomically;
  onError: (error: unknown) => void;
}

export function openRecordsInMemory({ node, database, db, atomically, onError }: RecordTables): RecordStores {
  const engine = new SqliteEngine({
    node,
    reader: new CallReader(database, { holdsSnapshot: false }),
    writer: directWriter(database),
    journal: undefined,
    savedKeys: undefined,
    abandoned: [],
  });
  const queries = new SqlInvocations(db, atomically, { node });
  const invocations = invocationsOf({ engine, queries, prices: new HeldPrices(), onError });
  return { invocations, ledger: ledgerOf(db, invocations), ...countsOf(db, atomically), release() {} };
}

export async function openRecordsInFile(tables: RecordTables, file: { path: string; durability: Durability }): Promise<RecordStores> {
  const release = await lockData(file.path);
  try {
    return { ...(await openLocked(tables, file)), release };
  } catch (error) {
    release();
    throw error;
  }
}

async function openLocked(
  { node, database, db, atomically, onError }: RecordTables,
  { path, durability }: { path: string; durability: Durability },
) {
  const journalPath = `${path}-calls`;
  await saveJournaled(database, journalPath);
  const reader = new CallReader(await openFile(path, () => {}), { holdsSnapshot: true });
  const savedKeys = new SavedKeys((last) => keysAfter(database, last), onError);
  const writer = new DatabaseThread(path, pragmas(durability));
  const abandoned = await new SqlInvocations(db, atomically).unfinished();
  const engine = new SqliteEngine({ node, reader, writer, journal: new Journal(journalPath, durability), savedKeys, abandoned });
  const threadDb = threadKysely(writer, database);
  const queries = new SqlInvocations(threadDb, inThread(writer), { node });
  const invocations = invocationsOf({ engine, queries, prices: heldPricesIn(database), onError });
  return { invocations, ledger: ledgerOf(threadDb, invocations), ...countsOf(threadDb, inThread(writer)) };
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

function ledgerOf(db: Kysely<Tables>, invocations: BufferedInvocations): SqlLedger {
  return new SqlLedger(db, () => invocations.saved());
}

function countsOf(db: Kysely<Tables>, atomically: Atomically): Counts {
  return {
    counts: new SqlCounts(db, atomically),
    searches: new SqlSearchCounts(db, atomically),
    sightings: new SqlSightings(db, atomically),
    misfits: new SqlMisfits(db, atomically),
    toolkitProfiles: new SqlToolkitProfiles(db),
    callers: new SqlCallerNumbers(db),
    listings: new SqlListings(db, atomically),
    sessionRequests: new SqlSessionRequests(db, atomically),
    sessionSums: new SqlSessionSums(db, atomically),
  };
}

/** Saves the calls that an earlier process left in the journal, before a new journal replaces it. */
async function saveJournaled(database: DatabaseSync, path: string): Promise<void> {
  const reader = new CallReader(database, { holdsSnapshot: false });
  const records = replayJournal(readJournal(path), (id) => reader.byId(id));
  await saveFormerCalls(database, records);
}
