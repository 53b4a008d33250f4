/** Kysely on the thread: each query is a transaction of its own. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Atomically, Tables } from '../sql/tables';
import type { DatabaseThread } from './database-thread';
import { givesRows, toSqlite } from './kysely-database';

export function threadKysely(thread: DatabaseThread): Kysely<Tables> {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      const values = parameters.map(toSqlite);
      if (givesRows(sql)) return { rows: (await thread.read(sql, values)) as Row[] };
      return { rows: [], numAffectedRows: BigInt(await thread.write([{ sql, rows: [values] }])) };
    },
    streamQuery: unsupported,
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    // Others use the connection between two queries: `inThread` sends all of a transaction at once.
    beginTransaction: unsupported,
    commitTransaction: unsupported,
    rollbackTransaction: unsupported,
    destroy: async () => {},
  };
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

export function inThread(thread: DatabaseThread): Atomically {
  return async (queries) => {
    const statements = queries.map((query) => query.compile()).map(({ sql, parameters }) => ({ sql, rows: [parameters.map(toSqlite)] }));
    if (statements.length > 0) await thread.write(statements);
  };
}

function unsupported(): never {
  throw new Error('The thread of the database runs whole transactions only');
}
