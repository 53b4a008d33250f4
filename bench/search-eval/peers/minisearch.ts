/** MiniSearch with its defaults. */
import MiniSearch from 'minisearch';
import { DEPTH } from '../metrics.ts';
import type { SystemKind } from '../system.ts';
import { FIELDS, plainText } from './plain-text.ts';

export const miniSearch: SystemKind = {
  name: 'MiniSearch',
  build: (documents) => {
    const index = new MiniSearch({ fields: [...FIELDS] });
    index.addAll(documents.map((document) => ({ id: document.id, ...plainText(document) })));
    return {
      search: (query) =>
        index
          .search(query)
          .slice(0, DEPTH)
          .map(({ id }) => id),
    };
  },
};
