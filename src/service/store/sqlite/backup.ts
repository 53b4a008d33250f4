/**
 * A copy of the data in one file, beside a running service or without one. What stood only in the journal is in the copy's tables.
 *
 * Not by `backup()` of `node:sqlite`, which begins anew whenever another process writes (and is younger than Node 22.13), and not by
 * `VACUUM INTO`, which takes no moment that the journal could be compared with. Tables are copied as they are, so that data of an older version can
 * be saved before a newer program changes them.
 */
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { InvocationRecord } from '../store';
import { explained, openFile } from './connection';
import { CallReader, saveFormerCalls } from './engine';
import { parseJournal, replayJournal } from './journal/entries';

/** Short enough that the event loop does not notice. */
const ROWS_PER_STEP = 2_000;
const SQLITE_FULL = 13;

/** @param to an empty file */
export async function backupSqlite({ from, to, signal }: { from: string; to: string; signal: AbortSignal | undefined }): Promise<void> {
  const records = await copyDatabase(from, to, signal);
  if (records.length > 0) await addRecords(to, records);
}

/** Returns what the journal knows better than the copy. */
async function copyDatabase(from: string, to: string, signal: AbortSignal | undefined): Promise<InvocationRecord[]> {
  const database = await openFile(from, () => {});
  try {
    database.exec('PRAGMA foreign_keys = OFF');
    database.prepare('ATTACH ? AS copy').run(to);
    // A copy that is not finished is thrown away.
    database.exec('PRAGMA copy.journal_mode = OFF; PRAGMA copy.synchronous = OFF');
    const records = beginSnapshot(database, `${from}-calls`);
    const objects = database.prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'").all();
    const [tables, others] = [objects.filter(({ type }) => type === 'table'), objects.filter(({ type }) => type !== 'table')];
    for (const { name, sql } of tables) {
      database.exec(inCopy(String(sql)));
      await copyRows(database, String(name), signal);
    }
    // Faster when the rows are there.
    for (const { sql } of others) database.exec(inCopy(String(sql)));
    database.exec('COMMIT');
    return records;
  } catch (error) {
    // Room is what the copy lacks; whatever else is wrong is wrong with the data.
    throw (error as { errcode?: number }).errcode === SQLITE_FULL ? error : explained(error, `Cannot copy ${from}`, from);
  } finally {
    database.close();
  }
}

async function copyRows(database: DatabaseSync, table: string, signal: AbortSignal | undefined): Promise<void> {
  const { first, last } = database.prepare(`SELECT min(rowid) AS first, max(rowid) AS last FROM main."${table}"`).get() ?? {};
  const copy = database.prepare(`INSERT INTO copy."${table}" SELECT * FROM main."${table}" WHERE rowid BETWEEN ? AND ?`);
  for (let from = Number(first); from <= Number(last); from += ROWS_PER_STEP) {
    signal?.throwIfAborted();
    copy.run(from, from + ROWS_PER_STEP - 1);
    await setImmediate();
  }
}

/** SQLite keeps these texts with their first words in capitals and one space between them, https://www.sqlite.org/schematab.html */
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
 * Begins a transaction that sees one moment of the database, beside a running service or without one: what that service would leave behind if it died
 * then. Returns the calls of which the journal knows more than the database does.
 *
 * Entries leave the journal only by another file, after the database has taken them. While the journal's file is still the one from before the
 * snapshot, nothing has left it for a database that is newer than what the snapshot shows.
 */
export function beginSnapshot(database: DatabaseSync, journalPath: string): InvocationRecord[] {
  for (;;) {
    const journal = openJournal(journalPath);
    try {
      database.exec('BEGIN');
      // The first read decides what the transaction sees.
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
