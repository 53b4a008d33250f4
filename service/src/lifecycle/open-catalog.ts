import type { Limits } from '#sdk/protocol/limits';
import type { Audit } from '../audit/audit';
import { Catalog } from '../catalog/catalog';
import { ResultMisfits } from '../catalog/results/result-misfits';
import { ActionReviews, type RecordTexts } from '../catalog/review/action-reviews';
import type { ReviewPolicy } from '../catalog/review/review-policy';
import { type RankWeights, UsageIndex } from '../catalog/search/index';
import { ToolkitProfiles } from '../catalog/toolkit-profiles';
import { HashedTerms } from '../learning/index';
import type { Store } from '../store/store';

export interface OpenedCatalog {
  catalog: Catalog;
  /** The learning fills `usage` and `terms`; the catalogue ranks by both. */
  usage: UsageIndex;
  terms: HashedTerms;
  misfits: ResultMisfits;
}

export interface OpenCatalogDeps {
  store: Pick<Store, 'catalog' | 'misfits' | 'toolkitProfiles'>;
  limits: Limits;
  currency: string;
  review: ReviewPolicy;
  rankWeights: RankWeights;
  audit: Audit;
}

/** Rejects when the stored toolkits cannot be read. */
export async function openCatalog({ store, limits, currency, review, rankWeights, audit }: OpenCatalogDeps): Promise<OpenedCatalog> {
  const terms = new HashedTerms();
  const usage = new UsageIndex((query) => terms.of(query));
  const reviews = new ActionReviews(review, auditTexts(audit));
  const misfits: ResultMisfits = new ResultMisfits({
    store: store.misfits,
    action: (id) => catalog.action(id),
    onChange: (id) => catalog.misfitsChanged(id),
  });
  const profiles = new ToolkitProfiles(store.toolkitProfiles);
  const catalog = new Catalog(store.catalog, { limits, currency, usage, rankWeights, reviews, misfits, profiles });
  catalog.onChange((id) => misfits.actionChanged(id));
  await catalog.load();
  await misfits.synchronise();
  return { catalog, usage, terms, misfits };
}

/** Hashes in one entry of the audit log. Small entries keep a page of the log small. */
const HASHES_PER_ENTRY = 200;

function auditTexts(audit: Audit): RecordTexts {
  return async (toolkitId, keyId, hashes) => {
    const all = Object.entries(hashes);
    for (let start = 0; start < all.length; start += HASHES_PER_ENTRY) {
      const actions = Object.fromEntries(all.slice(start, start + HASHES_PER_ENTRY));
      await audit.write({ kind: 'key', id: keyId, name: toolkitId }, 'actions.change', toolkitId, { actions });
    }
  };
}
