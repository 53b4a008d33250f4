import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { transaction } from './transaction';

/** Runs once with each row of parameters. */
export interface Statement {
  sql: string;
  rows: readonly (readonly SQLInputValue[])[];
}

export interface BatchWriter {
  /** In one transaction. Resolves when it is committed, with how many rows changed. */
  write(statements: readonly Statement[]): Promise<number>;
  close(): Promise<void>;
}

/** In this thread: for data in memory, and for what a former process left. */
export class DirectWriter implements BatchWriter {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async write(statements: readonly Statement[]): Promise<number> {
    return transaction(this.#database, () => {
      let changes = 0;
      for (const { sql, rows } of statements) {
        const statement = this.#database.prepare(sql);
        for (const row of rows) changes += Number(statement.run(...row).changes);
      }
      return changes;
    });
  }

  async close(): Promise<void> {}
}
