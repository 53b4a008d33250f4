import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { SqlKeys, toKey } from '../sql/keys';
import type { KeyRow, Tables } from '../sql/tables';
import type { KeyRecord } from '../store';

/** Looks keys up with a statement that is prepared once: thousands of toolkits may come back at the same time, each with a key of its own. */
export class SqliteKeys extends SqlKeys {
  readonly #byHash: StatementSync;

  constructor(database: DatabaseSync, db: Kysely<Tables>) {
    super(db);
    this.#byHash = database.prepare('SELECT * FROM keys WHERE hash = ?');
  }

  override async findByHash(hash: string): Promise<KeyRecord | undefined> {
    const row = this.#byHash.get(hash) as KeyRow | undefined;
    return row && toKey(row);
  }
}
