/**
 * Copies the data into one file; a service may be running on them. Calls that are only in the journal go into the tables of the copy.
 *
 * `backup()` of `node:sqlite` restarts whenever another process writes (and is newer than Node 22.13), and `VACUUM INTO` offers no snapshot to
 * compare the journal with. The tables are copied unchanged, so that data of an older version can be backed up before an upgrade migrates them.
 */
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { InvocationRecord } from '../store';
import { CallReader } from './call-reader';
import { explained, openFile } from './connection';
import { saveFormerCalls } from './engine';
import { parseJournal, replayJournal } from './journal/entries';

/** Few enough not to block the event loop noticeably. */
const ROWS_PER_STEP = 2_000;
const SQLITE_FULL = 13;

interface Copy {
  from: string;
  /** An empty file. */
  to: string;
  signal: AbortSignal | undefined;
  /** Called with the rows that are copied, and all there are. */
  onRows(done: number, total: number): void;
}

export async function backupSqlite(copy: Copy): Promise<void> {
  const { to } = copy;
  const records = await copyDatabase(copy);
  if (records.length > 0) await addRecords(to, records);
}

/** Returns the calls that are newer in the journal than in the copy. */
async function copyDatabase({ from, to, signal, onRows }: Copy): Promise<InvocationRecord[]> {
  const database = await openFile(from, () => {});
  try {
    database.exec('PRAGMA foreign_keys = OFF');
    database.prepare('ATTACH ? AS copy').run(to);
    // Safe, because an unfinished copy is deleted.
    database.exec('PRAGMA copy.journal_mode = OFF; PRAGMA copy.synchronous = OFF');
    const records = beginSnapshot(database, `${from}-calls`);
    const objects = database.prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'").all();
    const [tables, others] = [objects.filter(({ type }) => type === 'table'), objects.filter(({ type }) => type !== 'table')];
    for (const { sql } of tables) database.exec(inCopy(String(sql)));
    const spans = tables.map(({ name }) => rowSpan(database, String(name)));
    const total = spans.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    let done = 0;
    for (const span of spans) {
      await copyRows(database, span, signal, (rows) => {
        done += rows;
        onRows(done, total);
      });
    }
    // Indexes are built faster after the rows are inserted.
    for (const { sql } of others) database.exec(inCopy(String(sql)));
    database.exec('COMMIT');
    return records;
  } catch (error) {
    // A full disk is a problem of the copy, any other error one of the data.
    throw (error as { errcode?: number }).errcode === SQLITE_FULL ? error : explained(error, `Cannot copy ${from}`, from);
  } finally {
    database.close();
  }
}

/** The rows of a table by their ids, which may have gaps. */
interface RowSpan {
  table: string;
  first: number;
  last: number;
}

function rowSpan(database: DatabaseSync, table: string): RowSpan {
  const { first, last } = database.prepare(`SELECT min(rowid) AS first, max(rowid) AS last FROM main."${table}"`).get() ?? {};
  // An empty table has no ids.
  return { table, first: Number(first ?? 1), last: Number(last ?? 0) };
}

async function copyRows(
  database: DatabaseSync,
  { table, first, last }: RowSpan,
  signal: AbortSignal | undefined,
  onRows: (rows: number) => void,
): Promise<void> {
  const copy = database.prepare(`INSERT INTO copy."${table}" SELECT * FROM main."${table}" WHERE rowid BETWEEN ? AND ?`);
  for (let from = first; from <= last; from += ROWS_PER_STEP) {
    signal?.throwIfAborted();
    copy.run(from, from + ROWS_PER_STEP - 1);
    onRows(Math.min(ROWS_PER_STEP, last - from + 1));
    await setImmediate();
  }
}

/** SQLite stores these statements with their first words in capitals, separated by one space: https://www.sqlite.org/schematab.html */
function inCopy(sql: string): string {
  return sql.replace(/^CREATE (?:UNIQUE )?(?:TABLE|INDEX) /, (words) => `${words}copy.`);
}

async function addRecords(path: string, records: InvocationRecord[]): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const copy = new DatabaseSync(path);
  try {
    await saveFormerCalls(copy, records);
  } finally {
    copy.close();
  }
}

/**
 * Begins a transaction on a snapshot of the database; a service may be running on it. Snapshot and journal together are what the service would
 * leave behind if it crashed at that moment. Returns the calls that are newer in the journal than in the snapshot.
 *
 * A new journal file replaces the old one only after the database has the entries that it drops. If the file is the same before and after the
 * snapshot was taken, the journal has every entry that the snapshot lacks.
 */
export function beginSnapshot(database: DatabaseSync, journalPath: string): InvocationRecord[] {
  for (;;) {
    const journal = openJournal(journalPath);
    try {
      database.exec('BEGIN');
      // The first read fixes the snapshot.
      database.prepare('SELECT count(*) FROM sqlite_master').get();
      if (isCurrent(journal, journalPath)) {
        const entries = journal === undefined ? [] : parseJournal(readFileSync(journal), journalPath);
        return entries.length === 0 ? [] : replayJournal(entries, callsIn(database));
      }
      database.exec('ROLLBACK');
    } finally {
      if (journal !== undefined) closeSync(journal);
    }
  }
}

function callsIn(database: DatabaseSync): (id: string) => InvocationRecord | undefined {
  const reader = new CallReader(database, { holdsSnapshot: false });
  return (id) => reader.byId(id);
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
