/** Opens the store of a data directory, a database or memory. The engine is loaded on first use. */
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

/** @throws SvcError INVALID_REQUEST, which names the location and the remedy; SERVICE_UNAVAILABLE for an unreachable database */
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
 * Opens all of the data but the calls. A service may be running on them.
 *
 * @param options.create false: reject with NOT_FOUND when there are no data, instead of creating them
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
 * Migrates the data to the version of this program, as every start does.
 *
 * @param options.check only report the versions
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
