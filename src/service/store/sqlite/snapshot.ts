/**
 * The database and the journal at one moment, beside a running service or without one: what that service would leave behind if it died then.
 *
 * Entries leave the journal only by another file, after the database has taken them. While the journal's file is still the one from before the
 * snapshot, nothing has left it for a database that is newer than what the snapshot shows.
 */
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { SqlInvocations } from '../sql/invocations';
import type { InvocationRecord } from '../store';
import { SqliteInvocations } from './invocations';
import { type JournalEntry, parseJournal } from './journal-entry';
import { toKysely } from './kysely-database';
import { RecordReader } from './record-reader';

/** Begins a transaction that sees one moment of the database, and returns what stands in the journal then. */
export function beginSnapshot(database: DatabaseSync, journalPath: string): JournalEntry[] {
  for (;;) {
    const journal = openJournal(journalPath);
    try {
      database.exec('BEGIN');
      // The first read decides what the transaction sees.
      database.prepare('SELECT count(*) FROM sqlite_master').get();
      if (isCurrent(journal, journalPath)) return journal === undefined ? [] : parseJournal(readFileSync(journal), journalPath);
      database.exec('ROLLBACK');
    } finally {
      if (journal !== undefined) closeSync(journal);
    }
  }
}

/** The calls of which the journal knows more than the database, as they stand. */
export async function journaledRecords(database: DatabaseSync, entries: JournalEntry[]): Promise<InvocationRecord[]> {
  if (entries.length === 0) return [];
  let records: InvocationRecord[] = [];
  const invocations = new SqliteInvocations({
    node: '',
    queries: new SqlInvocations(toKysely(database), { atomically: async () => {}, knowsSizes: false }),
    reader: new RecordReader(database, { holdsSnapshot: false }),
    writer: {
      write: async (all) => {
        records = [...all];
      },
      close: async () => {},
    },
    journal: undefined,
    left: entries,
    abandoned: [],
    onError: () => {},
  });
  await invocations.save();
  return records;
}

function openJournal(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isCurrent(journal: number | undefined, path: string): boolean {
  const current = statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
  return current === (journal === undefined ? undefined : fstatSync(journal, { bigint: true }).ino);
}
