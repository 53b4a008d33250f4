/**
 * `node:sqlite` in the shape that Kysely's SQLite dialect wants (it was made for better-sqlite3).
 * Works on Node 22.13, which has no `StatementSync.columns()`: whether a statement gives rows is read from its text.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { SqliteDatabase } from 'kysely';

const READS = /^select\b/i;
const GIVES_ROWS = /^(?:select|with)\b|\breturning\b/i;

/** `beforeWrite` is called before every statement that is no plain SELECT. */
export function toKyselyDatabase(database: DatabaseSync, beforeWrite: () => void): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      const bind = (parameters: readonly unknown[]) => {
        if (!READS.test(sql)) beforeWrite();
        return parameters.map(toSqlite);
      };
      return {
        reader: GIVES_ROWS.test(sql),
        all: (parameters) => statement.all(...bind(parameters)),
        run: (parameters) => statement.run(...bind(parameters)),
        iterate: (parameters) => statement.iterate(...bind(parameters)),
      };
    },
  };
}

/** SQLite has no booleans; whatever else it does not take, `node:sqlite` refuses with a clear error. */
export function toSqlite(value: unknown): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : (value as SQLInputValue);
}
