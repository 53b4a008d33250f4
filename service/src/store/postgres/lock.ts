import type * as Pg from 'pg';
import { SvcError } from '#sdk/protocol/errors';
import type { DatabaseAddress } from './database-address';
import { LOCK_MS } from './times';

/** Class of the service's advisory locks, which PostgreSQL keeps by number in each database: `svc` in ASCII. */
const CLASS = 0x737663;

export const MIGRATING = `${CLASS}, 1`;
export const SERVING = `${CLASS}, 2`;
export const TAKING = `${CLASS}, 3`;
export const SETTLING = `${CLASS}, 4`;

/** Takes the service's lock for this session. Returns undefined, or the error when another node holds it. */
export async function lockRefusal(client: Pg.Client, shared: boolean, address: DatabaseAddress): Promise<SvcError | undefined> {
  await client.query(`SET lock_timeout = ${LOCK_MS}`);
  try {
    await client.query(`SELECT pg_advisory_lock${shared ? '_shared' : ''}(${SERVING})`);
    return undefined;
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error;
    const message = shared
      ? `A node without --nats runs on ${address.shown}: stop it, or start it again with the same --nats as this one`
      : `Another node runs on ${address.shown}: stop it, or give all of them the same --nats, so that they can work together`;
    return new SvcError('INVALID_REQUEST', message, {}, { cause: error });
  } finally {
    await client.query('SET lock_timeout = 0').catch(() => {});
  }
}
