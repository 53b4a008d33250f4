/** The store of a data directory or a database, or one in memory. The engine is loaded when it is used. */
import { resolve } from 'node:path';
import type { Logger } from '../lib/logger';
import { existingFileIn, fileIn, type LastingLocation, type Location, requireSqlite } from './location';
import type { Versions } from './migrations';
import type { Durability, Store, StoredData } from './store';

export interface StoreSettings {
  /** Default: `full` for a database, `normal` for a directory. */
  durability: Durability | undefined;
  /** Whether other nodes may use the same database. */
  shared: boolean;
  logger: Logger;
}

/** @throws SvcError INVALID_REQUEST that names the place and the cure, SERVICE_UNAVAILABLE for a database that cannot be reached now */
export async function openStore({ data, database }: Location, { durability, shared, logger }: StoreSettings): Promise<Store> {
  const onError = (error: unknown) => logger.error({ error }, 'the store failed');
  if (database !== undefined) {
    const { openPostgresStore } = await import('./postgres/open');
    return openPostgresStore({ url: database, durability, shared, onError });
  }
  requireSqlite();
  const { openSqliteStore } = await import('./sqlite/open');
  return openSqliteStore({ path: data === undefined ? ':memory:' : fileIn(data), durability, onError });
}

/**
 * All of the data but its calls, also beside a running service.
 *
 * @param options.create false refuses a place without data, with NOT_FOUND, instead of making it
 */
export async function openKeyStore(
  { data, database }: LastingLocation,
  { create = true }: { create?: boolean | undefined } = {},
): Promise<StoredData> {
  if (database !== undefined) {
    const { openPostgresData } = await import('./postgres/open');
    return openPostgresData({ url: database, create });
  }
  requireSqlite();
  const { openSqliteData } = await import('./sqlite/open');
  return openSqliteData({ path: create ? fileIn(data) : existingFileIn(data) });
}

/**
 * Brings data to the version of this program, as every start on them does.
 *
 * @param options.check only tells
 */
export async function migrate({ data, database }: LastingLocation, { check }: { check: boolean }): Promise<Versions> {
  if (database !== undefined) {
    const { migratePostgres } = await import('./postgres/open');
    return migratePostgres(database, { check });
  }
  requireSqlite();
  const { migrateSqlite } = await import('./sqlite/open');
  return migrateSqlite(resolve(existingFileIn(data)), { check });
}
