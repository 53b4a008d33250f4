/**
 * `node:sqlite` in the shape that Kysely's SQLite dialect wants (it was made for better-sqlite3).
 * Works on Node 22.13, which has no `StatementSync.columns()`: whether a statement gives rows is read from its text.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import type { Tables } from '../sql/tables';

const GIVES_ROWS = /^\s*(?:select|with)\b|\breturning\b/i;

export function givesRows(sql: string): boolean {
  return GIVES_ROWS.test(sql);
}

/** Runs what changes something. */
export type Write = <T>(write: () => T) => T;

/** @param write gets each statement that gives no rows */
export function toKysely(database: DatabaseSync, write: Write = (run) => run()): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: toKyselyDatabase(database, write) }) });
}

function toKyselyDatabase(database: DatabaseSync, write: Write): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        reader: givesRows(sql),
        all: (parameters) => statement.all(...parameters.map(toSqlite)),
        run: (parameters) => write(() => statement.run(...parameters.map(toSqlite))),
        iterate: (parameters) => statement.iterate(...parameters.map(toSqlite)),
      };
    },
  };
}

/** SQLite has no booleans; whatever else it does not take, `node:sqlite` refuses with a clear error. */
export function toSqlite(value: unknown): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : (value as SQLInputValue);
}
