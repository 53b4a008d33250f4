/** Places of results that did not fit the result that their action declares. */
export interface Misfit {
  /** Action id. */
  action: string;
  /** The action and its shape, as a hash. */
  version: string;
  /** JSON Pointer with names of the shape; `*` for an index or any other name. */
  path: string;
  results: number;
  /** Milliseconds since the epoch. */
  lastAt: number;
}

export interface MisfitStore {
  /** Adds to the numbers of results, and keeps the later times. */
  add(misfits: readonly Misfit[]): Promise<void>;
  /** The rows whose last misfit was then or later. */
  since(time: number): Promise<Misfit[]>;
  /** Removes the rows of versions that are not in the catalogue any more. */
  remove(versions: readonly Pick<Misfit, 'action' | 'version'>[]): Promise<void>;
  /** Removes the rows whose last misfit was before that time. */
  prune(before: number): Promise<void>;
}
