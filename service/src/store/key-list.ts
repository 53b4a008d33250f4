/** The query of the list of keys. */
import type { KeySort, KeyState } from '#sdk/protocol/admin';
import type { KeyKind } from '#sdk/protocol/http';
import type { CountQuery } from './console-store';

export interface KeyListQuery {
  /** Only keys of this account. */
  ownerId?: string | undefined;
  /** Each word must be in the name, the id, the toolkit or the name of the owner. */
  words?: string | undefined;
  kind?: KeyKind | undefined;
  state?: KeyState | undefined;
  now: number;
  sort: KeySort;
  order: 'asc' | 'desc';
  /** The account whose keys the order `mine` puts first. */
  mine?: string | undefined;
  /** The range that the orders `calls` and `refused` count. */
  day: Pick<CountQuery, 'from' | 'to' | 'step'>;
  /** Ids of keys that are in use now. Read by the order `lastUsed`. */
  connected: readonly string[];
  /** Absent: all of them. */
  limit?: number | undefined;
  after?: KeyPlace | undefined;
}

/** The place of a key in an order. */
export interface KeyPlace {
  rank: string | number;
  id: string;
}
