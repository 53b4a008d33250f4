import type { Kysely } from 'kysely';
import type { Tables } from '../sql/tables';
import type { Row } from './format';

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
