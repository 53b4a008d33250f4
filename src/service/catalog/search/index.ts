export type { SearchDocument } from './document-terms';
export { SearchIndex, type SearchOptions } from './search-index';
