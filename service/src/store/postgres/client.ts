/** Single connections: for the session of a node, and for work that must not share one. */
import type * as Pg from 'pg';
import { clientConfig, type TIMEOUTS } from './connection';
import type { DatabaseAddress } from './database-address';
import { asOpenFailure } from './errors';

/** Runs `work` on a separate connection without timeouts. */
export async function withClient<T>(pg: typeof Pg, address: DatabaseAddress, work: (client: Pg.Client) => Promise<T>): Promise<T> {
  try {
    const client = await connect(pg, address);
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } catch (error) {
    throw asOpenFailure(error, address);
  }
}

export async function connect(pg: typeof Pg, address: DatabaseAddress, timeouts: Partial<typeof TIMEOUTS> = {}): Promise<Pg.Client> {
  const client = new pg.Client({ ...clientConfig(pg, address), ...timeouts });
  // A query on a lost connection rejects, so this event needs no handling.
  client.on('error', () => {});
  await client.connect();
  return client;
}
