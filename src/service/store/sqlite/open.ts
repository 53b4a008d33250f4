/**
 * The store on one SQLite file: one process serves it; others (`svc-sdk keys …`) may read and write beside it.
 *
 * Durable: what resolved survives the death of the process. After a power cut the last commits may be missing, the data is whole.
 * Errors:  INVALID_REQUEST for a file that cannot be used, with the path and the cure.
 */
import { resolve } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import { SqlCatalog } from '../sql/catalog';
import { SqlInvocations } from '../sql/invocations';
import { SqlKeys } from '../sql/keys';
import type { Atomically, Tables } from '../sql/tables';
import type { Store } from '../store';
import { ForeignChanges } from './foreign-changes';
import { GroupCommit } from './group-commit';
import { SqliteInvocations } from './invocations';
import { toKyselyDatabase, toSqlite } from './kysely-database';
import { migrate } from './migrate';
import { openFile } from './open-file';
import { transaction } from './transaction';

const IN_MEMORY = ':memory:';

export interface SqliteStoreOptions {
  /** A file, made when it is missing; its directory must exist. `:memory:` lasts until `close`. */
  path: string;
  /**
   * Hears of failures that no caller waits for: `refused` was not written, the file cannot be watched.
   * Unless given, they are unhandled rejections or exceptions, which end the process.
   */
  onError?: (error: unknown) => void;
}

export async function openSqliteStore({ path, onError = rethrow }: SqliteStoreOptions): Promise<Store> {
  const inMemory = path === IN_MEMORY;
  const where = inMemory ? path : resolve(path);
  const database = await openFile(where, (opened) => migrate(opened, where));
  const group = new GroupCommit(database);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: toKyselyDatabase(database) }) });
  const changes = new ForeignChanges(database, onError);

  const atomically: Atomically = async (queries) => {
    const compiled = queries.map((query) => query.compile());
    transaction(database, () => {
      for (const { sql, parameters } of compiled) database.prepare(sql).run(...parameters.map(toSqlite));
    });
  };

  return {
    keys: new SqlKeys(db),
    catalog: new SqlCatalog(db, atomically),
    invocations: new SqliteInvocations(database, group, new SqlInvocations(db), onError),
    onForeignChange: (listener) => (inMemory ? () => {} : changes.listen(listener)),
    async close() {
      changes.stop();
      group.flush();
      database.close();
    },
  };
}

function rethrow(error: unknown): never {
  throw error;
}
