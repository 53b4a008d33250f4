import type { ViewPage } from '#sdk/protocol/admin';

/** A list of the console with its filters, under a name. */
export interface SavedViewRecord {
  /** `view_…` */
  id: string;
  /** Id of an account, whose removal removes the view. */
  ownerId: string;
  page: ViewPage;
  name: string;
  /** The query string of the page: empty, or from `?` on. */
  query: string;
  /** Everybody sees it. */
  shared: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

export interface SavedViewStore {
  /** The views of an account, and the shared ones, in the order of their names. */
  list(ownerId: string): Promise<SavedViewRecord[]>;
  find(id: string): Promise<SavedViewRecord | undefined>;
  /** Number of views of an account. */
  count(ownerId: string): Promise<number>;
  insert(view: SavedViewRecord): Promise<void>;
  /** False when it does not exist. */
  change(id: string, change: Partial<Pick<SavedViewRecord, 'name' | 'query' | 'shared'>>): Promise<boolean>;
  /** False when it does not exist. */
  remove(id: string): Promise<boolean>;
}
