import type { Kysely } from 'kysely';
import { SqlKeys } from '../sql/keys';
import type { Tables } from '../sql/tables';
import type { KeyChange, KeyRecord } from '../store';
import { tell } from './foreign-changes';
import { GatheredLookups } from './gathered-lookups';

/** Tells other nodes of what it changes. A new key is no news: none of them can know it yet, and thousands may be made one after the other. */
export class PostgresKeys extends SqlKeys {
  readonly #database: Kysely<Tables>;
  readonly #node: string;
  readonly #byHash = new GatheredLookups(async (hashes) => {
    const keys = await this.findAll('hash', hashes);
    return new Map(keys.map((key) => [key.hash, key]));
  });

  constructor(db: Kysely<Tables>, node: string) {
    super(db);
    this.#database = db;
    this.#node = node;
  }

  override findByHash(hash: string): Promise<KeyRecord | undefined> {
    return this.#byHash.find(hash);
  }

  override replaceHash(id: string, hash: string): Promise<boolean> {
    return this.#change((keys) => keys.replaceHash(id, hash));
  }

  override change(id: string, change: KeyChange): Promise<boolean> {
    return this.#change((keys) => keys.change(id, change));
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
