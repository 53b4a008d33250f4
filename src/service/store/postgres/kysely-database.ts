import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { Tables } from '../sql/tables';
import type { Connections } from './connections';
import { asUnavailable } from './database-errors';

/** Kysely on connections of ours: what goes wrong is told in their words, and a connection that is lost is not used again. */
export function toKysely(connections: Connections): Kysely<Tables> {
  // Kysely only looks into the options to cancel queries, which nobody does here. `Connections` closes itself.
  const pool = { options: {}, connect: () => connect(connections), end: async () => {} };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

async function connect(connections: Connections): Promise<PostgresPoolClient> {
  const { client, release } = await connections.borrow();
  let failure: unknown;
  const query = async (text: string, values: readonly unknown[] = []) => {
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      failure ??= asUnavailable(error);
      throw failure ?? error;
    }
  };
  return {
    // Its type takes cursors too, which Kysely asks for in streams, and nobody uses here.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => void release(failure),
  };
}
