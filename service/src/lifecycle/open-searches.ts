import type { UsageIndex } from '../catalog/search/index';
import type { Cluster } from '../cluster/cluster';
import { type HashedTerms, Learning, type LearningSetting } from '../learning/index';
import type { Logger } from '../lib/logger';
import { Searches } from '../searches/searches';
import type { Store } from '../store/store';

export interface OpenSearchesDeps {
  store: Store;
  cluster: Cluster;
  usage: UsageIndex;
  terms: HashedTerms;
  learning: LearningSetting;
  logger: Logger;
}

/** Opens the recent searches and the learning that observes them. Rejects when the stored evidence cannot be read. */
export async function openSearches({ store, cluster, usage, terms, learning: setting, logger }: OpenSearchesDeps) {
  const learning = await Learning.open({ store, usage, terms, setting, logger });
  const searches = new Searches({ cluster, node: store.node });
  searches.observe(learning);
  return { searches, learning };
}
