/** Statements that run once with each of their rows. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { transaction } from './connection';

export interface Statement {
  sql: string;
  rows: readonly (readonly SQLInputValue[])[] | TextRows;
}

/** Rows of texts, numbers and nulls as one text: a thread gets a text at once, and thousands of values one by one. Without U+0000. */
export interface TextRows {
  columns: number;
  /** Values with U+0000 after each: '' for null, else `=` and the value. */
  text: string;
}

export function textRows(rows: readonly (readonly (string | number | null)[])[]): TextRows {
  let text = '';
  for (const row of rows) for (const value of row) text += value === null ? '\0' : `=${value}\0`;
  return { columns: rows[0]?.length ?? 1, text };
}

export interface StatementWriter {
  /** In one transaction. Resolves with how many rows changed. */
  write(statements: readonly Statement[]): Promise<number>;
  close(): Promise<void>;
}

/** In this thread: for data in memory, and for what a former process left. */
export function directWriter(database: DatabaseSync): StatementWriter {
  return { write: async (statements) => runStatements(database, statements), close: async () => {} };
}

/** `thread.ts` does the same in its own words. */
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
