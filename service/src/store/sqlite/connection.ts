/** A connection to a database file. Errors name the path and the remedy. */
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import { SvcError } from '#sdk/protocol/errors';
import type { Atomically, Tables } from '../sql/tables';
import type { Durability } from '../store';
import { StoreUnavailable } from '../store-unavailable';
import { withClearErrors } from './errors';
import { PreparedStatements } from './prepared-statements';

/** How long a write waits for another process's transaction. */
export const BUSY_TIMEOUT_MS = 5_000;

/** Settings of every connection. */
export function pragmas(durability: Durability): string {
  return [
    // A pragma, since the `timeout` option is newer than Node 22.13.
    `busy_timeout = ${BUSY_TIMEOUT_MS}`,
    // SQLite takes it for a new file alone. Large pages: a batch changes random pages of the index of keys, and writes each of them twice.
    'page_size = 16384',
    'foreign_keys = ON',
    // WAL: readers and the writer do not block each other. NORMAL: a commit survives a crash of the process; a power loss may undo the last ones.
    'journal_mode = WAL',
    `synchronous = ${durability}`,
  ]
    .map((pragma) => `PRAGMA ${pragma};`)
    .join(' ');
}

/** A checkpoint waits for the disk: run one per 32 MB of changes instead of 4. */
export const CHECKPOINT_BYTES = 32 * 1024 * 1024;

/** SQLite counts in pages, which are of 4 KiB in files from before 0.14. */
function setCheckpoints(database: DatabaseSync): void {
  const { page_size: pageBytes } = database.prepare('PRAGMA page_size').get() as { page_size: number };
  database.exec(`PRAGMA wal_autocheckpoint = ${Math.ceil(CHECKPOINT_BYTES / pageBytes)}`);
}

/** Remedies by system error code. */
const FILE_CURES: Record<string, (path: string) => string> = {
  ENOENT: (path) => `create the directory ${dirname(path)} first`,
  ENOTDIR: (path) => `${dirname(path)} is not a directory`,
  EISDIR: () => 'it is a directory; name a file inside it',
  EACCES: () => 'give this user the right to read and write it, or name another file',
  EPERM: () => 'give this user the right to read and write it, or name another file',
  EROFS: () => 'it is on a read-only file system; name a file elsewhere',
  ENOSPC: () => 'the disk is full; make room',
  EPIPE: () => 'its reader closed it',
};

/** Remedies by SQLite's primary result code, https://www.sqlite.org/rescode.html. */
const SQLITE_CURES: Record<number, string> = {
  5: 'another process has locked it; stop that process and try again',
  8: 'it is read-only; give this user the right to write it and to make files beside it',
  11: 'it is damaged; restore it from a backup, or name a new file',
  13: 'the disk is full; make room',
  14: 'give this user the right to make files in its directory',
  26: 'it is not a SQLite database; name another file',
};

export async function openFile(
  path: string,
  prepare: (database: DatabaseSync) => void,
  durability: Durability = 'normal',
): Promise<DatabaseSync> {
  // Loaded on first use: runtimes without it can still use other stores.
  const { DatabaseSync } = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  try {
    // The file holds results of calls, so only its owner may read it. SQLite gives the files -wal and -shm the same mode.
    if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
    database = new DatabaseSync(path);
    database.exec(pragmas(durability));
    setCheckpoints(database);
    prepare(database);
    return database;
  } catch (error) {
    database?.close();
    throw explained(error, `Cannot open the database ${path}`, path);
  }
}

/** Returns an SvcError that begins with `failure` and names the remedy. Returns other errors unchanged. */
export function explained(error: unknown, failure: string, path: string): unknown {
  const fault = error instanceof StoreUnavailable ? error.cause : error;
  if (!(fault instanceof Error) || SvcError.is(fault)) return error;
  const { code, errcode } = fault as Error & { code?: string; errcode?: number };
  const cure = errcode === undefined ? FILE_CURES[code ?? '']?.(path) : SQLITE_CURES[errcode & 0xff];
  return cure === undefined ? error : new SvcError('INVALID_REQUEST', `${failure}: ${cure}`, {}, { cause: fault });
}

/** Runs `write` in one transaction. */
export function transaction<T>(database: DatabaseSync, write: () => T): T {
  return withClearErrors(() => {
    // IMMEDIATE takes the write lock at once: a transaction that begins as a reader fails instead of waiting for another writer.
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = write();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      rollBack(database);
      throw error;
    }
  });
}

function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // SQLite has already rolled back, for example on a full disk, and only reports that no transaction is active.
  }
}

const GIVES_ROWS = /^\s*(?:select|with)\b|\breturning\b/i;

export function givesRows(sql: string): boolean {
  return GIVES_ROWS.test(sql);
}

/** Runs a function that writes. */
export type Write = <T>(write: () => T) => T;

/**
 * Kysely on `node:sqlite`. Its SQLite dialect expects better-sqlite3. Node 22.13 has no `StatementSync.columns()`, so the text of a statement
 * decides whether it returns rows.
 *
 * @param write runs each statement that returns no rows
 */
export function sqliteKysely(database: DatabaseSync, write: Write = (run) => run()): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: toKyselyDatabase(database, write) }) });
}

function toKyselyDatabase(database: DatabaseSync, write: Write): SqliteDatabase {
  const statements = new PreparedStatements(database);
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = statements.get(sql);
      return {
        reader: givesRows(sql),
        all: (parameters) => withClearErrors(() => statement.all(...parameters.map(toSqlite))),
        run: (parameters) => withClearErrors(() => write(() => statement.run(...parameters.map(toSqlite)))),
        iterate: (parameters) => database.prepare(sql).iterate(...parameters.map(toSqlite)),
      };
    },
  };
}

/** SQLite has no booleans. `node:sqlite` rejects other unsupported values with a clear error. */
export function toSqlite(value: unknown): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : (value as SQLInputValue);
}

/** @param write runs the queries in one transaction */
export function allInOne(database: DatabaseSync, write: Write): Atomically {
  const statements = new PreparedStatements(database);
  return async (queries) => {
    const compiled = queries.map((query) => query.compile());
    write(() => {
      for (const { sql, parameters } of compiled) statements.get(sql).run(...parameters.map(toSqlite));
    });
  };
}

export interface Statement {
  sql: string;
  rows: readonly (readonly SQLInputValue[])[] | TextRows;
}

/** Rows of texts, numbers and nulls as one text, which is faster to send to a thread than thousands of values. No value contains U+0000. */
export interface TextRows {
  columns: number;
  /** The values, each followed by U+0000: '' for null, otherwise `=` and the value. */
  text: string;
}

export function textRows(rows: readonly (readonly (string | number | null)[])[]): TextRows {
  const values: string[] = [];
  for (const row of rows) for (const value of row) values.push(value === null ? '' : `=${value}`);
  // Behind the last value too.
  if (values.length > 0) values.push('');
  // A concatenation is a tree, which sending has to flatten.
  return { columns: rows[0]?.length ?? 1, text: values.join('\0') };
}

export interface StatementWriter {
  /** Runs the statements in one transaction. Resolves with the number of changed rows. */
  write(statements: readonly Statement[]): Promise<number>;
  close(): Promise<void>;
}

/** Writes in this thread: for in-memory data, and for calls that an earlier process left in the journal. */
export function directWriter(database: DatabaseSync): StatementWriter {
  return { write: async (statements) => runStatements(database, statements), close: async () => {} };
}

/** `thread.ts` has the same code in its worker program. */
function runStatements(database: DatabaseSync, statements: readonly Statement[]): number {
  return transaction(database, () => {
    let changes = 0;
    for (const { sql, rows } of statements) {
      const statement = database.prepare(sql);
      for (const row of rowsOf(rows)) changes += Number(statement.run(...row).changes);
    }
    return changes;
  });
}

function rowsOf(rows: Statement['rows']): readonly (readonly SQLInputValue[])[] {
  if (!('text' in rows)) return rows;
  const values = rows.text.split('\0').map((value) => (value === '' ? null : value.slice(1)));
  const count = Math.floor((values.length - 1) / rows.columns);
  return Array.from({ length: count }, (_, index) => values.slice(index * rows.columns, (index + 1) * rows.columns));
}
