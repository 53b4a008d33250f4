import type * as Pg from 'pg';
import { SvcError } from '../../../protocol/errors';
import type { Place } from './connection';

/** Locks that PostgreSQL keeps by number, in each database for itself: ours have a class of their own, `svc` in ASCII. */
const CLASS = 0x737663;

export const MIGRATING = `${CLASS}, 1`;
export const SERVING = `${CLASS}, 2`;
export const TAKING = `${CLASS}, 3`;

/** How long a node waits for the lock of one that is just going. */
const LOCK_MS = 2_000;

/** A session that holds the lock of the service; undefined when it does now. */
export async function lockRefusal(client: Pg.Client, shared: boolean, place: Place): Promise<SvcError | undefined> {
  await client.query(`SET lock_timeout = ${LOCK_MS}`);
  try {
    await client.query(`SELECT pg_advisory_lock${shared ? '_shared' : ''}(${SERVING})`);
    return undefined;
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error;
    const message = shared
      ? `A node without --nats runs on ${place.shown}: stop it, or start it again with the same --nats as this one`
      : `Another node runs on ${place.shown}: stop it, or give all of them the same --nats, so that they can work together`;
    return new SvcError('INVALID_REQUEST', message, {}, { cause: error });
  } finally {
    await client.query('SET lock_timeout = 0').catch(() => {});
  }
}
