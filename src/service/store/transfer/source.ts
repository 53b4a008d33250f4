import type { Snapshot } from './read-rows';
import type { Row } from './table-layouts';

/** Data to export, as they are at one moment, beside a running service or without one. */
export interface Source extends Snapshot {
  /** Rows of invocations that stand outside of the table, in the order of their ids: new ones, and newer ones than those in the table. */
  newerInvocations: readonly Row[];
  close(): Promise<void>;
}
