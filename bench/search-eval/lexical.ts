/** The index of the service. */
import { SearchIndex } from '../../src/service/catalog/search/index.ts';
import { DEPTH } from './metrics.ts';
import type { SystemKind } from './system.ts';

export const lexical: SystemKind = {
  name: 'svc-sdk',
  build: (documents) => {
    const index = new SearchIndex();
    for (const document of documents) index.upsert(document);
    return { search: (query) => index.search(query, { limit: DEPTH }) };
  },
};
