import type { Kysely } from 'kysely';
import { SqlKeys } from '../sql/keys';
import type { Tables } from '../sql/tables';
import type { KeyRecord } from '../store';
import { tell } from './foreign-changes';

/** Tells other nodes of what it changes. */
export class PostgresKeys extends SqlKeys {
  readonly #database: Kysely<Tables>;
  readonly #node: string;

  constructor(db: Kysely<Tables>, node: string) {
    super(db);
    this.#database = db;
    this.#node = node;
  }

  override insert(key: KeyRecord): Promise<void> {
    return this.#change((keys) => keys.insert(key));
  }

  override replaceHash(id: string, hash: string): Promise<boolean> {
    return this.#change((keys) => keys.replaceHash(id, hash));
  }

  override revoke(id: string, at: number): Promise<boolean> {
    return this.#change((keys) => keys.revoke(id, at));
  }

  #change<T>(change: (keys: SqlKeys) => Promise<T>): Promise<T> {
    return this.#database.transaction().execute(async (transaction) => {
      const result = await change(new SqlKeys(transaction));
      await tell(transaction, this.#node, 'keys');
      return result;
    });
  }
}
