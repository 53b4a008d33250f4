export type { SearchDocument } from './document-terms';
export { nearestIds } from './nearest-ids';
export { SearchIndex, type SearchOptions } from './search-index';
