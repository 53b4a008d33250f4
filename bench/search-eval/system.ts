/** What ranks actions, ours or another. */
import type { SearchDocument } from '../../src/service/catalog/search/index.ts';

export interface SearchSystem {
  /** Action ids, best first, at most ten. */
  search(query: string): string[];
  close?(): void;
}

export interface SystemKind {
  name: string;
  build(documents: readonly SearchDocument[]): SearchSystem;
}
