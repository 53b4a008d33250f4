/** The index of the service, and what it learns from logged searches. */
import { type SearchDocument, SearchIndex, UsageIndex, usageTerms } from '../../src/service/catalog/search/index.ts';
import { DEPTH } from './metrics.ts';
import type { SearchSystem } from './system.ts';
import type { LoggedSearch } from './usage-log.ts';

export interface SvcIndex extends SearchSystem {
  /** Searches for actions that the catalogue does not hold are passed over. */
  learn(searches: readonly LoggedSearch[]): void;
}

export function buildSvcIndex(documents: readonly SearchDocument[]): SvcIndex {
  const usage = new UsageIndex();
  const index = new SearchIndex(usage);
  const ids = new Set<string>();
  for (const document of documents) {
    index.upsert(document);
    ids.add(document.id);
  }
  return {
    search: (query) => index.search(query, { limit: DEPTH }),
    learn: (searches) => {
      for (const [number, { query, actions }] of searches.entries()) {
        const terms = usageTerms(query);
        for (const action of actions) if (ids.has(action)) usage.set({ id: `${number} ${action}`, action, terms, weight: 1 });
      }
    },
  };
}
