import type { Limits } from '../../protocol/limits';
import { Catalog } from '../catalog/catalog';
import { UsageIndex } from '../catalog/search/index';
import { HashedTerms } from '../learning/index';
import type { Store } from '../store/store';

export interface OpenedCatalog {
  catalog: Catalog;
  /** The learning fills both; the catalogue ranks by them. */
  usage: UsageIndex;
  terms: HashedTerms;
}

/** Rejects when the stored toolkits cannot be read. */
export async function openCatalog({ store, limits }: { store: Pick<Store, 'catalog'>; limits: Limits }): Promise<OpenedCatalog> {
  const terms = new HashedTerms();
  const usage = new UsageIndex((query) => terms.of(query));
  const catalog = new Catalog(store.catalog, limits, usage);
  await catalog.load();
  return { catalog, usage, terms };
}
