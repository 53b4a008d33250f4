import type { SearchDocument } from '../../../src/catalog/search';

/** A document with the given parts, and as little else as there can be. */
export function action(id: string, parts: Partial<SearchDocument> = {}): SearchDocument {
  const [toolkitId = '', name = ''] = id.split('__');
  return {
    id,
    toolkitId,
    toolkitName: toolkitId,
    toolkitDescription: '',
    name,
    description: '',
    payloadSchema: { type: 'object' },
    ...parts,
  };
}
