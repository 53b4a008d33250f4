import type { Kysely } from 'kysely';
import type { Tables } from '../sql/tables';

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
