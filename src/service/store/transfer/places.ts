/** Opens data to export, and data to import into. The engine is loaded on first use. */

import type { Kysely } from 'kysely';
import { type DataPlace, existingFileIn, fileIn, requireSqlite } from '../location';
import type { Tables } from '../sql/tables';
import type { Row } from './format';

export async function openTransferSource(place: DataPlace): Promise<Source> {
  if (typeof place !== 'string') {
    const { openPostgresSource } = await import('../postgres/transfer');
    return openPostgresSource(place.database);
  }
  requireSqlite();
  const { openSqliteSource } = await import('../sqlite/transfer');
  return openSqliteSource(existingFileIn(place));
}

export async function openTarget(place: DataPlace): Promise<Target> {
  if (typeof place !== 'string') {
    const { openPostgresTarget } = await import('../postgres/transfer');
    return openPostgresTarget(place.database);
  }
  requireSqlite();
  const { openSqliteTarget } = await import('../sqlite/transfer');
  return openSqliteTarget(fileIn(place));
}

/** Data to export. A service may be running on them. */
export interface Source {
  /** Reads a snapshot. */
  db: Kysely<Tables>;
  /** Invocations that are missing or older in the table, sorted by id. */
  newerInvocations: readonly Row[];
  /** Entries of the ledger that are missing or older in the table, sorted by invocation id. */
  newerLedger: readonly Row[];
  close(): Promise<void>;
}

/** Data without a running service, and one transaction on them. */
export interface Target {
  /** Name for messages, without secrets. */
  name: string;
  db: Kysely<Tables>;
  /** True when there are calls outside of the tables. */
  hasMore: boolean;
  commit(): Promise<void>;
  /** Rolls back unless committed. */
  close(): Promise<void>;
}
