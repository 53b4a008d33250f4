/** A system that ranks actions: the service's index or a peer. */
import type { SearchDocument } from '../../service/src/catalog/search/index.ts';
import type { Catalogue, Question } from './questions.ts';

export interface SearchSystem {
  /** Action ids, best first, at most ten. */
  search(query: string): string[];
  close?(): void;
}

export interface SystemKind {
  name: string;
  build(documents: readonly SearchDocument[]): SearchSystem;
}

/** A system with one catalogue and its queries. */
export interface Built<T extends SearchSystem = SearchSystem> {
  system: T;
  questions: readonly Question[];
}

export function buildAll<T extends SearchSystem>(
  build: (documents: readonly SearchDocument[]) => T,
  catalogues: readonly Catalogue[],
): { built: Built<T>[]; buildMs: number } {
  const startedAt = performance.now();
  const built = catalogues.map(({ documents, questions }) => ({ system: build(documents), questions }));
  return { built, buildMs: performance.now() - startedAt };
}
