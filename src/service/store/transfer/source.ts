import type { Kysely } from 'kysely';
import type { Tables } from '../sql/tables';
import type { Row } from './table-layouts';

/** Data to export, beside a running service or without one. */
export interface Source {
  /** Sees one moment of the data. */
  db: Kysely<Tables>;
  /** Rows of invocations that stand outside of the table, in the order of their ids: new ones, and newer ones than those in the table. */
  newerInvocations: readonly Row[];
  close(): Promise<void>;
}
