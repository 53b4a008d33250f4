import type { Kysely } from 'kysely';
import type { Tables } from '../sql/tables';

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
