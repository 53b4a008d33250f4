/** The index of the service, and what it learns from logged searches: by the same evidence and bounds as in a service, with hashed terms. */
import { type Meaning, type SearchDocument, SearchIndex, UsageIndex } from '../../src/service/catalog/search/index.ts';
import { Evidence } from '../../src/service/learning/evidence.ts';
import { HashedTerms } from '../../src/service/learning/hashed-terms.ts';
import { DEPTH } from './metrics.ts';
import type { SearchSystem } from './system.ts';
import type { LoggedSearch } from './usage-log.ts';

export interface SvcIndex extends SearchSystem {
  /** Searches for actions that the catalogue does not hold are passed over. */
  learn(searches: readonly LoggedSearch[]): void;
  /** Ranks by meaning too from now on; undefined ranks by words alone again. */
  embed(meaningOf: ((query: string) => Meaning) | undefined): void;
}

/** The log has no times, so all of it counts as fresh. */
const NOW = 0;

export function buildSvcIndex(documents: readonly SearchDocument[]): SvcIndex {
  const terms = new HashedTerms();
  const usage = new UsageIndex((query) => terms.of(query));
  const index = new SearchIndex(usage);
  const ids = new Set<string>();
  for (const document of documents) {
    index.upsert(document);
    ids.add(document.id);
  }
  const evidence = new Evidence(usage);
  let meaningOf: ((query: string) => Meaning) | undefined;
  return {
    search: (query) => index.search(query, { limit: DEPTH, meaning: meaningOf?.(query) }),
    embed: (given) => {
      meaningOf = given;
    },
    learn: (searches) => {
      for (const [number, { query, actions }] of searches.entries()) {
        const use = { keyId: `agent ${number}`, terms: terms.of(query), at: NOW, ok: true };
        for (const action of actions) if (ids.has(action)) evidence.record({ ...use, action });
      }
      evidence.settle(NOW, Number.POSITIVE_INFINITY);
    },
  };
}
