/** Data to export, and data to import into. The engine is loaded when it is used. */

import type { Kysely } from 'kysely';
import { type DataPlace, existingFileIn, fileIn, requireSqlite } from '../location';
import type { Tables } from '../sql/tables';
import type { Row } from './format';

export async function openSource(place: DataPlace): Promise<Source> {
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

/** Data to export, beside a running service or without one. */
export interface Source {
  /** Sees one moment of the data. */
  db: Kysely<Tables>;
  /** Rows of invocations that stand outside of the table, in the order of their ids: new ones, and newer ones than those in the table. */
  newerInvocations: readonly Row[];
  close(): Promise<void>;
}

/** Data without a service, and one transaction on them. */
export interface Target {
  /** For messages: no secrets in it. */
  name: string;
  db: Kysely<Tables>;
  /** True when calls stand outside of the tables. */
  hasMore: boolean;
  commit(): Promise<void>;
  /** Undoes what is not committed. */
  close(): Promise<void>;
}
