/**
 * The state of the store itself.
 *
 * Units:  times are milliseconds since the epoch, by the database's clock.
 * Errors: as in `store.ts`.
 */
export type StoreKind = 'sqlite' | 'postgres' | 'memory';

export interface StoreSize {
  at: number;
  bytes: number;
}

export interface SystemStore {
  readonly kind: StoreKind;
  /** The present time. */
  now(): Promise<number>;
  /** Bytes on the disk of the database, in memory those of its pages. */
  bytes(): Promise<number>;
  /** Records the size for the present hour, unless it is recorded. Forgets those that are older than 35 days. */
  recordSize(bytes: number): Promise<void>;
  /** Oldest first, from `from` on. */
  sizes(from: number): Promise<StoreSize[]>;
  /** Records that the data were backed up now. */
  recordBackup(): Promise<void>;
  /** Undefined where no backup was recorded. */
  lastBackup(): Promise<number | undefined>;
  /** Nodes whose heartbeat is older than `ms` and younger than a day, and that did not leave. Empty where one process owns the data. */
  silentNodes(ms: number): Promise<{ id: string; seenAt: number }[]>;
}
