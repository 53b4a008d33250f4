/** The index of the service, and its evidence from logged searches: by the same evidence and bounds as in a service, with hashed terms. */
import { type Meaning, type RankWeights, type SearchDocument, SearchIndex, UsageIndex } from '../../service/src/catalog/search/index.ts';
import { Evidence } from '../../service/src/learning/evidence.ts';
import { HashedTerms } from '../../service/src/learning/hashed-terms.ts';
import { replayConversations } from './conversations.ts';
import { DEPTH } from './metrics.ts';
import type { SearchSystem } from './system.ts';
import type { LoggedSearch } from './usage-log.ts';

export interface SvcIndex extends SearchSystem {
  /**
   * Searches for actions that the catalogue does not hold are passed over.
   *
   * @param credit the strength of evidence for a search before a reworded one, in conversations; without it each search counts by itself
   */
  learn(searches: readonly LoggedSearch[], credit?: number): void;
  /** Ranks by meaning too from now on; undefined ranks by words alone again. */
  embed(meaningOf: ((query: string) => Meaning) | undefined): void;
}

/** The log has no times, so all of it counts as fresh. */
const NOW = 0;

export function buildSvcIndex(documents: readonly SearchDocument[], weights?: RankWeights): SvcIndex {
  const terms = new HashedTerms();
  const usage = new UsageIndex((query) => terms.of(query));
  const index = new SearchIndex(usage, weights);
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
    learn: (searches, credit) => {
      const numbers = new Map<LoggedSearch, number>();
      const record = (search: LoggedSearch, action: string, strength: number) =>
        evidence.record({ keyId: `agent ${numbers.get(search)}`, action, terms: terms.of(search.query), at: NOW, ok: true, strength });
      const known = searches.map((search) => ({ ...search, actions: search.actions.filter((action) => ids.has(action)) }));
      for (const [number, search] of known.entries()) numbers.set(search, number);
      if (credit === undefined) for (const search of known) for (const action of search.actions) record(search, action, 1);
      else
        replayConversations(known, {
          show: (query) => index.search(query, { limit: DEPTH }),
          called: (search, action) => record(search, action, 1),
          reworded: (search, action, next) => {
            const words = new Set(terms.of(next.query));
            if (credit > 0 && terms.of(search.query).some((word) => words.has(word))) record(search, action, credit);
          },
        });
      evidence.settle(NOW, Number.POSITIVE_INFINITY);
    },
  };
}
