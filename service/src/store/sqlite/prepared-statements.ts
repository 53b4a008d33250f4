/**
 * The newest prepared statements of a connection by their text. Compiling a short statement takes longer than running it, and thousands of
 * toolkits that register use the same ones.
 *
 * A statement that is kept here must be read to its end at once: `all`, `get` and `run` do so, `iterate` does not.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Lists of values make many different texts. */
const MAX_KEPT = 100;

export class PreparedStatements {
  readonly #database: DatabaseSync;
  readonly #bySql = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(sql: string): StatementSync {
    const kept = this.#bySql.get(sql);
    this.#bySql.delete(sql);
    const statement = kept ?? this.#database.prepare(sql);
    this.#bySql.set(sql, statement);
    const [oldest] = this.#bySql.keys();
    if (this.#bySql.size > MAX_KEPT && oldest !== undefined) this.#bySql.delete(oldest);
    return statement;
  }
}
